import { createHmac, hash } from 'node:crypto';
import { isProven, type PresentedProof, type SourceSecrets } from './delivery-proof';

const body = Buffer.from('{"data":{"type":"mailing"}}');
const hmac = (algorithm: string, secret: string, of = body) =>
  createHmac(algorithm, secret).update(of).digest('hex');

describe('the proof of a delivery', () => {
  describe.each([
    ['hmac-sha256-hex', 'sha256'],
    ['hmac-sha1-hex', 'sha1'],
  ] as const)('by %s', (authentication, algorithm) => {
    const webhook = { authentication, header: 'x-signature' };
    const secrets: SourceSecrets = { tokenHashes: [], signingSecrets: ['new', 'old'] };
    const proven = (signature: string | undefined, more: Partial<PresentedProof> = {}) =>
      isProven(webhook, { headers: { 'x-signature': signature }, body, ...more }, secrets);

    it('holds for each secret of a rotation, in whatever case', () => {
      expect(proven(hmac(algorithm, 'new'))).toBe(true);
      expect(proven(hmac(algorithm, 'old').toUpperCase())).toBe(true);
      expect(proven(`${algorithm}=${hmac(algorithm, 'new')}`)).toBe(true);
    });

    it('fails for another secret, another byte, another header, none, or half of it', () => {
      expect(proven(hmac(algorithm, 'other'))).toBe(false);
      expect(proven(hmac(algorithm, 'new'), { body: Buffer.from('{"data":{"type":"Mailing"}}') })).toBe(
        false,
      );
      expect(proven(undefined, { headers: { 'x-other': hmac(algorithm, 'new') } })).toBe(false);
      expect(proven('')).toBe(false);
      const signature = hmac(algorithm, 'new');
      for (const around of [
        `x${signature}`,
        `${signature}x`,
        `${signature} `,
        `md5=${signature}`,
        `${algorithm}=`,
      ])
        expect([around, proven(around)]).toEqual([around, false]);
      expect(proven(undefined, { headers: { 'x-signature': [signature] } })).toBe(false);
      expect(proven(hmac(algorithm, 'new').slice(0, 20))).toBe(false);
    });

    it('fails where no secret is kept, also for the signature of an empty one', () => {
      const none = { tokenHashes: [], signingSecrets: [] };
      expect(isProven(webhook, { headers: { 'x-signature': hmac(algorithm, '') }, body }, none)).toBe(false);
    });
  });

  it.each(['path', 'header'] as const)(
    'by a token in the %s holds for that token alone',
    (authentication) => {
      const secrets: SourceSecrets = {
        tokenHashes: [hash('sha256', 'right', 'buffer')],
        signingSecrets: ['right'],
      };
      const webhook = { authentication, header: 'x-secret' };
      const proven = (token: string | undefined) =>
        isProven(
          webhook,
          authentication === 'path' ? { token, headers: {}, body } : { headers: { 'x-secret': token }, body },
          secrets,
        );
      expect([proven('right'), proven('wrong'), proven(''), proven(undefined)]).toEqual([
        true,
        false,
        false,
        false,
      ]);
    },
  );

  it('is never what is missing or was sent twice, whatever is kept', () => {
    const webhook = { authentication: 'header', header: 'x-secret' } as const;
    const kept = ['', 'right'].map((token) => hash('sha256', token, 'buffer'));
    const proven = (value: string | string[] | undefined, tokenHashes = kept) =>
      isProven(webhook, { headers: { 'x-secret': value }, body }, { tokenHashes, signingSecrets: [] });
    expect([proven('right'), proven(undefined), proven(['right'])]).toEqual([true, false, false]);
    expect(proven('right', [Buffer.from('right')])).toBe(false);
  });
});
