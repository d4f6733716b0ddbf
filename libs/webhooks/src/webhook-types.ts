/** What subscribers may be told of, each with what it says. Add, never rename. */
export const WEBHOOK_TYPES = {
  'analysis.finished': 'A run has ended, and its numbers are served.',
  'drift.changed': 'Replies on a channel changed, of all of it or of one campaign, position or step.',
  'pattern.confirmed': 'A pattern is confirmed that was not before, or now the other way round.',
  'pattern.retracted': 'A pattern that was confirmed or likely is claimed no more.',
  'campaign.critical': 'Bounces or unsubscribes of a campaign are proved too high.',
  'source.silent': 'A tool that delivers by webhook has stopped.',
} as const;
export type WebhookType = keyof typeof WEBHOOK_TYPES;

/** Sent only when somebody asks for it, to every endpoint whatever it subscribes to, and tried once. */
export const PING = 'ping';

/** One thing to tell. It names no recipient. */
export interface WebhookMessage {
  readonly type: WebhookType | typeof PING;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Bodies are smaller. */
export const MAX_BODY_BYTES = 4_096;

export function isWebhookType(type: string): type is WebhookType {
  return type in WEBHOOK_TYPES;
}
