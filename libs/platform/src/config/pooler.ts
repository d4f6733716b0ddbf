/** What may stand between a process and Postgres, as DATABASE_POOLER says it. */
export const POOLERS = ['none', 'transaction', 'transaction-prepared'] as const;

export type Pooler = (typeof POOLERS)[number];

/** @returns `none` for whatever is no pooler's name */
export function poolerNamed(name: string | undefined): Pooler {
  return POOLERS.find((pooler) => pooler === name) ?? 'none';
}
