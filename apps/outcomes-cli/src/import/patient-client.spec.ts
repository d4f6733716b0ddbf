import { sendUntilAccepted } from './patient-client';

describe('waiting for ingest-api', () => {
  const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
    Response.json(body, { status, headers });
  const limited = () => answer(429, { success: false, error: 'RATE_LIMITED' }, { 'Retry-After': '700' });
  const away = () => answer(503, { success: false, error: 'SERVICE_UNAVAILABLE' });

  /** What it says and how it ends, with answers given in turn, the last one for ever. */
  const waitFor = async (...answers: (() => Response)[]) => {
    jest.useFakeTimers();
    const fetched = jest.spyOn(globalThis, 'fetch');
    for (const one of answers.slice(0, -1)) fetched.mockImplementationOnce(async () => one());
    fetched.mockImplementation(async () => (answers.at(-1) ?? away)());
    const begun = performance.now();
    const said: string[] = [];
    const ended = sendUntilAccepted(
      'http://localhost:3002',
      'svc_key',
      (client) => client.status(),
      (reason) => said.push(reason),
    ).catch((error: unknown) => error);
    let seconds = 0;
    void ended.finally(() => (seconds = Math.round((performance.now() - begun) / 1_000)));
    await jest.advanceTimersByTimeAsync(3_600_000);
    return { said, seconds, end: await ended };
  };
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('goes on through a hiccup after a wait for the window of the key, however long that was', async () => {
    const { said, end } = await waitFor(limited, away, () => answer(200, { batches_pending: 0 }));
    expect(end).toEqual({ batches_pending: 0 });
    expect(said).toEqual([
      expect.stringMatching(/^the key has used up the requests of its window; next try in 701 s$/),
      expect.stringMatching(/^the service answers 503; next try in 1 s$/),
    ]);
  });

  it.each([
    ['from the beginning', [away], 300],
    ['after a wait for the window of the key', [limited, away], 1_000],
  ])('ends after five minutes of silence %s', async (_since, answers, after) => {
    const { end, seconds } = await waitFor(...answers);
    expect(end).toMatchObject({ message: expect.stringContaining('did not answer for 5 minutes') });
    expect(seconds).toBeGreaterThanOrEqual(after);
    expect(seconds).toBeLessThan(after + 15);
  });

  it('names what does not answer, and where it was looked for', async () => {
    const { said } = await waitFor(
      () => {
        throw new TypeError('fetch failed');
      },
      () => answer(200, {}),
    );
    expect(said).toEqual(['ingest-api at http://localhost:3002 is not reachable; next try in 1 s']);
  });

  it('does not happen for a key that is refused, and the command says what to check', async () => {
    const { said, end } = await waitFor(() =>
      answer(401, { success: false, error: 'self_serve_auth_failed', message: 'Not accepted.' }),
    );
    expect(said).toEqual([]);
    expect(end).toMatchObject({
      message:
        'the service refused the request: 401 self_serve_auth_failed: Not accepted. Check --key or OUTCOMES_API_KEY.',
    });
  });

  it.each([
    ['an address without its scheme', 'localhost:3002', 'svc_key', /^ingestUrl must be an http or https/],
    ['a key with a character of no header', 'http://localhost:3002', 'svc_…', /^apiKey or headers have/],
  ])(
    'does not happen for %s: the command ends at once and says what to check',
    async (_what, url, key, why) => {
      const waits: string[] = [];
      const asked = sendUntilAccepted(
        url,
        key,
        (client) => client.status(),
        (reason) => waits.push(reason),
      );
      await expect(asked).rejects.toMatchObject({ name: 'CliFailure', message: expect.stringMatching(why) });
      await expect(asked).rejects.toThrow(/Check --url and --key/);
      expect(waits).toEqual([]);
    },
  );
});
