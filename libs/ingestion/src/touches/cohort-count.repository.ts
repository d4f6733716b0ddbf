import { Injectable } from '@nestjs/common';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import type { CohortDelta } from './cohort-deltas';

type Client = TenantTransaction['client'];

const SUMS = ['touches', 'replies', 'bounces', 'unsubscribes', 'opens', 'meetings', 'streamed'] as const;
const ARRAYS = {
  level_touches: 'levelTouches',
  level_replies: 'levelReplies',
  level_randomized: 'levelRandomized',
  hour_touches: 'hourTouches',
  hour_replies: 'hourReplies',
  reply_delays: 'replyDelays',
} as const;
const ARRAY_NAMES = Object.keys(ARRAYS) as (keyof typeof ARRAYS)[];
const KEY = ['sent_day', 'channel', 'step_bucket', 'position'] as const;
const NAMES = [...KEY, ...SUMS, 'last_outcome_at', ...ARRAY_NAMES];
const TYPES = [
  'date',
  ...Array.from({ length: 3 }, () => 'smallint'),
  ...SUMS.map(() => 'integer'),
  'timestamptz',
  ...ARRAY_NAMES.map(() => 'text'),
];

const ADD_DELTAS = `
  INSERT INTO cohort_counts (company_id, ${NAMES.join(', ')})
  SELECT $1, ${[...KEY, ...SUMS, 'last_outcome_at'].join(', ')},
    ${ARRAY_NAMES.map((name) => `${name}::integer[]`).join(', ')}
  FROM unnest(${TYPES.map((type, index) => `$${index + 2}::${type}[]`).join(', ')}) AS given (${NAMES.join(', ')})
  ON CONFLICT (company_id, ${KEY.join(', ')}) DO UPDATE SET
    ${SUMS.map((name) => `${name} = cohort_counts.${name} + excluded.${name}`).join(', ')},
    last_outcome_at = greatest(cohort_counts.last_outcome_at, excluded.last_outcome_at),
    ${ARRAY_NAMES.map((name) => `${name} = add_counts(cohort_counts.${name}, excluded.${name})`).join(', ')}
  RETURNING sent_day::text AS "sentDay", channel, step_bucket AS "stepBucket", position, touches,
    (extract(epoch FROM last_outcome_at) * 1000)::float8 AS "lastOutcomeAtMs"`;

/** $1 company, $2 to $5 the key, $6 the newest outcome that left. */
const OF_STRATA = `unnest($2::date[], $3::smallint[], $4::smallint[], $5::smallint[], $6::timestamptz[])
    AS left_behind (${KEY.join(', ')}, lost_outcome_at)
  WHERE c.company_id = $1 AND ${KEY.map((name) => `c.${name} = left_behind.${name}`).join(' AND ')}`;

const DELETE_EMPTY = `DELETE FROM cohort_counts c USING ${OF_STRATA} AND c.touches = 0`;

const FIND_LAST_OUTCOME = `
  UPDATE cohort_counts c SET last_outcome_at = (
    SELECT max(t.outcome_at) FROM touches t
    WHERE t.company_id = $1 AND t.sent_day = c.sent_day AND t.channel = c.channel AND t.position = c.position
      AND CASE WHEN t.sequence_step = 0 THEN 0 WHEN t.sequence_step <= 2 THEN 1 ELSE 2 END = c.step_bucket)
  FROM ${OF_STRATA} AND c.last_outcome_at <= left_behind.lost_outcome_at`;

type Stratum = Pick<CohortDelta, 'sentDay' | 'channel' | 'stepBucket' | 'position'>;

/** A stratum as it is after a change. */
interface Counted extends Stratum {
  readonly touches: number;
  readonly lastOutcomeAtMs: number;
}

/** The sufficient statistics. Called within the transaction that holds the company's lock. */
@Injectable()
export class CohortCountRepository {
  /** Adds the changes, after the touches themselves were written. A stratum without touches has no row. */
  async add(scope: TenantScope, client: Client, deltas: readonly CohortDelta[]): Promise<void> {
    if (deltas.length === 0) return;
    const { rows } = await client.query<Counted>({
      // Its plan has no choice to make, and making it takes longer than a small change.
      name: 'add-cohort-counts',
      text: ADD_DELTAS,
      values: [
        scope.companyId,
        ...keysOf(deltas),
        ...SUMS.map((name) => deltas.map((delta) => delta[name])),
        deltas.map((delta) => timeOf(delta.lastOutcomeAtMs)),
        ...ARRAY_NAMES.map((name) => deltas.map((delta) => `{${delta[ARRAYS[name]].join(',')}}`)),
      ],
    });
    const counted = new Map(rows.map((row) => [nameOf(row), row]));
    const after = (delta: CohortDelta) => counted.get(nameOf(delta));
    await this.mend(
      scope,
      client,
      DELETE_EMPTY,
      deltas.filter((delta) => after(delta)?.touches === 0),
    );
    // Only where the newest outcome itself has left must the next one be looked for.
    const lostNewest = deltas.filter((delta) => {
      const { touches = 0, lastOutcomeAtMs = Infinity } = after(delta) ?? {};
      return touches > 0 && delta.lostOutcomeAtMs !== null && lastOutcomeAtMs <= delta.lostOutcomeAtMs;
    });
    await this.mend(scope, client, FIND_LAST_OUTCOME, lostNewest);
  }

  private async mend(scope: TenantScope, client: Client, text: string, strata: readonly CohortDelta[]) {
    if (strata.length === 0) return;
    const lost = strata.map((delta) => timeOf(delta.lostOutcomeAtMs));
    await client.query({ text, values: [scope.companyId, ...keysOf(strata), lost] });
  }
}

function nameOf({ sentDay, channel, stepBucket, position }: Stratum): string {
  return `${sentDay} ${channel} ${stepBucket} ${position}`;
}

function keysOf(deltas: readonly CohortDelta[]): unknown[][] {
  return [
    deltas.map((delta) => delta.sentDay),
    deltas.map((delta) => delta.channel),
    deltas.map((delta) => delta.stepBucket),
    deltas.map((delta) => delta.position),
  ];
}

function timeOf(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
