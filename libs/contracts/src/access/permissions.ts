export const PERMISSIONS = ['analytics_read', 'events_write', 'events_delete'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What a key may be made for, and what it may do then. One that is made for nothing in particular may do all. */
export const KEY_PURPOSES = {
  /** An agent: it reads, over MCP and the read API. */
  agent: ['analytics_read'],
  /** A pipe that sends outcomes, and deletes what has to go. */
  ingest: ['events_write', 'events_delete'],
  /** A report or dashboard: it reads, over the read API alone. */
  read: ['analytics_read'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;
export type KeyPurpose = keyof typeof KEY_PURPOSES;

export const ACTOR_TYPES = ['agent', 'user', 'service', 'api_key'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** What callers may claim in X-Actor-Type; `api_key` is what an absent header means. */
export const CLAIMABLE_ACTOR_TYPES = ['agent', 'user', 'service'] as const;

export interface Actor {
  readonly type: ActorType;
  readonly id: string;
}

export const API_VERSION = '1.0.0';
export const MAX_ACTIVE_KEYS = 3;
export const KEY_LIFETIME_DAYS = 90;
export const BURST_WINDOW_SECONDS = 900;
export const DEFAULT_BURST_LIMIT = 200;
/** Ingestion has a window of its own, and it is wider: agents post outcomes one by one as they happen. */
export const DEFAULT_INGEST_BURST_LIMIT = 2_000;
export const DEFAULT_MONTHLY_QUOTA = 1000;
