import { sendUntilAccepted } from './patient-client';

describe('waiting for ingest-api', () => {
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
