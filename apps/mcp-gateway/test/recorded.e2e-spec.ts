import type { Answer, Tenant } from '@outcomes/testing';
import { RESOURCES, uriOf } from '../src/resources/resources.catalogue';
import definitions from '../tool-definitions.json';
import { shareGateway, type SharedGateway } from './gateway-fixture';
import recorded from './recorded-answers.json';
import { REQUESTS } from './recorded-requests';

/** What differs from one run to the next. */
const masked = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>');

const PASSING = ['date', 'connection', 'keep-alive', 'ratelimit-remaining', 'ratelimit-reset'];

/** Everything that a caller sees of an answer, but for the time. */
function seen({ status, headers, text }: Answer) {
  const fields = [...headers].filter(([name]) => !PASSING.includes(name)).sort();
  return { status, headers: Object.fromEntries(fields), text: masked(text) };
}

describe('the era of 2025-11-25', () => {
  let gateway: SharedGateway;
  let tenant: Tenant;

  beforeAll(async () => {
    gateway = await shareGateway();
    tenant = await gateway.addTenant({ name: 'Acme' });
  });

  afterAll(() => gateway?.stop());

  // Recorded from the service as it was when it knew no other era; an unknown version is refused under the id since.
  it.each(Object.entries(REQUESTS))('answers to the byte as it was recorded: %s', async (name, request) => {
    const { headers, method, body } = request;
    const answer = await gateway.http(
      tenant.apiKey,
      body,
      { 'X-Request-Id': 'recorded', ...headers },
      method,
    );
    expect(seen(answer)).toEqual((recorded as Record<string, unknown>)[name]);
  });

  const event = (result: string) => `event: message\ndata: {"jsonrpc":"2.0","id":1,"result":${result}}\n\n`;

  it('lists and reads what there is in one event, with nothing beside it', async () => {
    const text = async (method: string, params?: unknown) =>
      (await gateway.rpc(tenant.apiKey, method, params)).text;
    expect(await text('tools/list')).toBe(event(JSON.stringify(definitions)));
    for (const resource of RESOURCES) {
      const [uri, { mimeType, text: written }] = [uriOf('svc', resource), resource];
      const result = { contents: [{ uri, mimeType, text: written }] };
      expect(await text('resources/read', { uri })).toBe(event(JSON.stringify(result)));
    }
  });

  it('gives the document of a call as text and as a value, and nothing beside it', async () => {
    for (const given of [{}, { top_n: 0 }]) {
      const { text, body } = await gateway.call(tenant.apiKey, 'get_bandit_state', given);
      const document = body.result.content[0].text;
      const content = `{"content":[{"type":"text","text":${JSON.stringify(document)}}],`;
      const rest = 'top_n' in given ? '"isError":true}' : `"structuredContent":${document}}`;
      expect(text).toBe(event(content + rest));
    }
  });
});
