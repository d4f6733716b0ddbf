import { performance } from 'node:perf_hooks';
import { ModelEndpoint, says, status, type Reply } from '../../test/model-endpoint';
import { askModel, type ChatMessage } from './chat-client';
import type { LlmSettings } from './llm-settings';

const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', content: 'Read.' },
  { role: 'user', content: '[]' },
];
/** As an endpoint answers that is something else. */
const answers =
  (body: string): Reply =>
  (response) =>
    void response.end(body);
const message = (content: unknown) => JSON.stringify({ choices: [{ message: { content } }] });

describe('a question to the model', () => {
  const endpoint = new ModelEndpoint();
  let baseUrl: string;

  beforeAll(async () => {
    baseUrl = await endpoint.start();
  });
  afterAll(() => endpoint.stop());

  const ask = async (
    replies: Reply[],
    changes: Partial<LlmSettings> = {},
    stop: AbortSignal = new AbortController().signal,
  ) => {
    endpoint.asked.length = 0;
    endpoint.replies = replies;
    const settings = { baseUrl, apiKey: 'k-1', model: 'm-1', dailyMessages: 1, timeoutMs: 5_000, ...changes };
    const began = performance.now();
    const answer = await askModel(settings, MESSAGES, stop);
    return { answer, asked: [...endpoint.asked], waited: performance.now() - began };
  };

  it('is asked as the API wants it: as JSON, with the key, for one JSON object that does not vary', async () => {
    const { answer, asked } = await ask([says('{"themes":[]}')]);
    expect(answer).toEqual({ content: '{"themes":[]}' });
    expect(asked).toEqual([
      {
        ...{ path: '/v1/chat/completions', authorization: 'Bearer k-1', contentType: 'application/json' },
        body: {
          ...{ model: 'm-1', messages: MESSAGES, temperature: 0, max_tokens: 1_200 },
          response_format: { type: 'json_object' },
        },
      },
    ]);
  });

  it('names no key where there is none, and takes an address that ends with slashes', async () => {
    const { asked } = await ask([says('{}')], { apiKey: '', baseUrl: `${baseUrl}//` });
    expect(asked).toMatchObject([{ path: '/v1/chat/completions', authorization: undefined }]);
  });

  it.each([
    ['is no JSON', '<html>'],
    ['is null', 'null'],
    ['has no choices', '{}'],
    ['has an empty list of them', '{"choices":[]}'],
    ['has no message', '{"choices":[{}]}'],
    ['has no text', message(7)],
    ['is longer than an answer can be', message('x'.repeat(256 * 1024))],
    ['is empty', ''],
  ])('is not understood where the answer %s', async (_what, body) => {
    const { answer, asked } = await ask([answers(body)]);
    expect(answer).toEqual({ failure: 'not_understood' });
    expect(asked).toHaveLength(1);
  });

  it('may be answered at length', async () => {
    const text = 'x'.repeat(256 * 1024 - 100);
    expect((await ask([answers(message(text))])).answer).toEqual({ content: text });
  });

  it('is asked again, a little later, where the endpoint has too much to do', async () => {
    const { answer, asked, waited } = await ask([status(429), status(500), says('{}')]);
    expect(answer).toEqual({ content: '{}' });
    expect(asked).toHaveLength(3);
    // Half a second, and then one.
    expect(waited).toBeGreaterThan(1_450);
  });

  it('is asked again when the endpoint says', async () => {
    const { asked, waited } = await ask([status(503, { 'Retry-After': '1' }), says('{}')]);
    expect(asked).toHaveLength(2);
    expect(waited).toBeGreaterThan(950);
    expect((await ask([status(503, { 'Retry-After': 'soon' }), says('{}')])).answer).toEqual({
      content: '{}',
    });
  });

  it.each([400, 404, 499])('is not asked again where it is refused (%i)', async (code) => {
    const { answer, asked } = await ask([status(code)]);
    expect(answer).toEqual({ failure: 'refused' });
    expect(asked).toHaveLength(1);
  });

  it('is not put at all once the process stops, and no pause outlasts it', async () => {
    const { answer, asked } = await ask([says('{}')], {}, AbortSignal.abort());
    expect([answer, asked]).toEqual([{ failure: 'stopped' }, []]);
    const stop = new AbortController();
    const paused = await ask(
      [
        (response, question) => {
          response.on('close', () => setImmediate(() => stop.abort()));
          status(503, { 'Retry-After': '9' })(response, question);
        },
      ],
      {},
      stop.signal,
    );
    expect(paused.answer).toEqual({ failure: 'stopped' });
    expect(paused.asked).toHaveLength(1);
    expect(paused.waited).toBeLessThan(9_000);
  });

  it('goes nowhere else: a redirect is not followed', async () => {
    const { answer } = await ask([status(307, { Location: `${baseUrl}/chat/completions` })]);
    expect(answer).toEqual({ failure: 'unreachable' });
  });
});
