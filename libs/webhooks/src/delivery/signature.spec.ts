import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signedHeaders } from './signature';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEXT = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const message = { messageId: '0190e4d2-0000-4000-8000-000000000001', body: '{"type":"ping","data":{}}' };
const verifies = (secret: string, headers: Record<string, string>, body = message.body) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('the signature of a delivery', () => {
  it('is the HMAC-SHA256 of id, time and body, as Standard Webhooks has it', () => {
    const headers = signedHeaders(message, [SECRET], new Date('2026-06-01T08:00:00.900Z'));
    const mac = createHmac('sha256', Buffer.alloc(32, 1)).update(
      `${message.messageId}.1780300800.${message.body}`,
    );
    expect(headers).toMatchObject({
      'webhook-id': message.messageId,
      'webhook-timestamp': '1780300800',
      'webhook-signature': `v1,${mac.digest('base64')}`,
    });
  });

  it('is taken by the library of a receiver, and nothing that differs in a byte', () => {
    const headers = signedHeaders(message, [SECRET], new Date());
    expect(verifies(SECRET, headers)).toBe(true);
    expect(verifies(SECRET, headers, message.body.replace('ping', 'pinh'))).toBe(false);
    expect(verifies(NEXT, headers)).toBe(false);
    expect(verifies(SECRET, { ...headers, 'webhook-id': message.messageId.replace('1', '2') })).toBe(false);
    expect(verifies(SECRET, signedHeaders(message, [SECRET], new Date(Date.now() - 600_000)))).toBe(false);
  });

  it('is by both secrets while one takes the place of the other', () => {
    const headers = signedHeaders(message, [NEXT, SECRET], new Date());
    expect([verifies(SECRET, headers), verifies(NEXT, headers)]).toEqual([true, true]);
    expect(verifies(SECRET, signedHeaders(message, [NEXT], new Date()))).toBe(false);
  });
});
