import { Webhook } from 'standardwebhooks';

/** How long the secret before a rotation signs too. */
export const ROTATION_HOURS = 24;

export interface SignedMessage {
  readonly messageId: string;
  readonly body: string;
}

/**
 * Headers of an attempt (Standard Webhooks 1.0): the id is that of the message in every attempt, the time is that of the
 * attempt, and there is a signature by each secret that is valid now.
 * @param secrets - `whsec_…`
 */
export function signedHeaders(
  { messageId, body }: SignedMessage,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'outcomes-webhooks/1',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, now, body)).join(' '),
  };
}
