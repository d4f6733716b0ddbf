import { randomUUID } from 'node:crypto';
import {
  CHANNELS,
  DAY_MS,
  DOCUMENTS,
  MATURITY_DAYS,
  OUTCOMES,
  POSITIONS,
  type BanditDocument,
  type Channel,
  type ChannelDrift,
  type DriftDocument,
  type Outcome,
  type PatternRecord,
  type Position,
} from '@outcomes/contracts';
import { createDataSource } from '@outcomes/persistence';
import type { Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import type { TestDatabase } from '@outcomes/testing';
import { CalibrationRepository } from '../src/calibration/calibration.repository';
import { CalibrationService } from '../src/calibration/calibration.service';
import { DecisionReplay } from '../src/decisions/decision-replay.service';
import { DecisionRepository } from '../src/decisions/decision.repository';
import { DecisionService } from '../src/decisions/decision.service';
import { AnalysisRunRepository } from '../src/runs/analysis-run.repository';

export interface DecisionParts {
  readonly repository: DecisionRepository;
  readonly predictions: CalibrationRepository;
  readonly decisions: DecisionService;
  readonly replay: DecisionReplay;
  readonly tenants: TenantDatabase;
  close(): Promise<void>;
}

/** What is logged as an error fails the test. */
export const THROWN_ERRORS = {
  error({ err }: { readonly err: unknown }) {
    throw err;
  },
} as unknown as Logger;

/** Decisions over a worker's own login, without the analysis before them. */
export async function openDecisions(url: string, logger: Logger = THROWN_ERRORS): Promise<DecisionParts> {
  const dataSource = await createDataSource({
    url,
    applicationName: 'decision-test',
    poolSize: 4,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 2_000,
  }).initialize();
  const tenants = new TenantDatabase(dataSource);
  const clock = { now: () => new Date('2026-06-01T02:00:00Z') };
  const runs = new AnalysisRunRepository(tenants);
  const predictions = new CalibrationRepository(tenants);
  const repository = new DecisionRepository(tenants);
  const calibration = new CalibrationService(predictions, runs, clock);
  return {
    repository,
    predictions,
    decisions: new DecisionService(repository, runs, calibration, clock, logger),
    replay: new DecisionReplay(tenants),
    tenants,
    close: () => dataSource.destroy(),
  };
}

export interface PlannedTouch {
  readonly contact: string;
  readonly sentAt: string;
  readonly channel?: Channel;
  readonly step?: number;
  readonly position?: Position;
  readonly outcome?: Outcome;
  readonly address?: string;
  readonly campaign?: string;
}

/** Stores messages, and of each the event that it was folded from. */
export async function storeTouches(
  database: TestDatabase,
  { companyId }: TenantScope,
  touches: readonly PlannedTouch[],
): Promise<void> {
  const rows = touches.map((touch) => ({
    touch_id: randomUUID(),
    channel: CHANNELS.indexOf(touch.channel ?? 'email'),
    step: touch.step ?? 0,
    position: POSITIONS.indexOf(touch.position ?? 'vp'),
    outcome: OUTCOMES.indexOf(touch.outcome ?? 'no_response'),
    sent_at: touch.sentAt,
    contact: touch.contact,
    address: touch.address ?? null,
    campaign: touch.campaign ?? null,
  }));
  const values = [companyId, JSON.stringify(rows)];
  await database.query(
    `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time, sent_at,
       outcome_at, recipient_id, thread_id, recipient_hash)
     SELECT $1, gen_random_uuid(), touch_id, channel, step, outcome, true, sent_at, sent_at + interval '1 day', contact,
       'thread-of-' || contact, address
     FROM jsonb_to_recordset($2) AS row (touch_id uuid, channel smallint, step smallint, outcome smallint,
       sent_at timestamptz, contact text, address text)`,
    values,
  );
  await database.query(
    `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
       streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, campaign_id, recipient_hash)
     SELECT $1, touch_id, channel, step, "position", 0.9, outcome, true, sent_at::date, sent_at,
       sent_at + interval '1 day', '{}', contact, 'thread-of-' || contact, campaign, address
     FROM jsonb_to_recordset($2) AS row (touch_id uuid, channel smallint, step smallint, "position" smallint,
       outcome smallint, sent_at timestamptz, contact text, address text, campaign text)`,
    values,
  );
}

/** Counts that make `day` the newest send day, with some history of steps before it. */
export async function storeSteps(
  database: TestDatabase,
  { companyId }: TenantScope,
  day: string,
): Promise<void> {
  await database.query(
    `INSERT INTO cohort_counts (company_id, sent_day, channel, step_bucket, position, touches, replies, bounces,
       unsubscribes, opens, meetings, streamed, level_touches, level_replies, hour_touches, hour_replies, reply_delays)
     SELECT $1, $2::date - back, channel, bucket, ${POSITIONS.indexOf('vp')}, 500, 40 - 10 * bucket, 0, 0, 0, 0, 500,
       '{}', '{}', '{}', '{}', '{}'
     FROM unnest(ARRAY[0, 40, 60]) AS back, unnest(ARRAY[0, 1]) AS channel, unnest(ARRAY[0, 1, 2]) AS bucket
     ON CONFLICT DO NOTHING`,
    [companyId, day],
  );
}

/** A bandit document as a run leaves it; the second channel is the better one by `lead` replies of 200. */
export function banditOf(dataAsOf: string, lead = 2): BanditDocument {
  const arm = (channel: Channel, position: Position, alpha: number): BanditDocument['arms'][number] => ({
    channel,
    position,
    alpha,
    beta: 200 - alpha,
    posterior_mean: alpha / 200,
    posterior_variance: (alpha * (200 - alpha)) / (200 * 200 * 201),
    ci_low: 0.01,
    ci_high: 0.1,
    interval_target: 'next_30_days_mean_rate',
    interval_type: 'equal_tailed_95',
    current_low: 0.01,
    current_high: 0.1,
    data_from: '2025-01-01',
    memory_days: 60,
    forward_sd: 0.1,
    data_source: 'live',
    observations: 800,
    replies: 40,
    effective_n: 180,
    own_data_share: 0.9,
    prior_weight: 0.1,
    market_mean: 0.0431234,
    immature_share: 0.1,
    probability_best: 0.5,
    last_outcome_at: null,
  });
  return {
    data_as_of: dataAsOf,
    engine_version: 'test',
    prior: { mean: 0.05, concentration: 40 },
    arms: [arm('email', 'vp', 10), arm('linkedin', 'vp', 10 + lead), arm('email', 'director', 8)],
  };
}

/**
 * A drift document as a run leaves it: e-mail and LinkedIn, of which everything counts that has settled.
 * @param observedUntil - day up to which outcomes are known, YYYY-MM-DD
 */
export function driftOf(observedUntil: string, dataFrom = '2025-01-01'): DriftDocument {
  const channel = (name: 'email' | 'linkedin'): ChannelDrift => {
    const through = new Date(Date.parse(observedUntil) - MATURITY_DAYS[name] * DAY_MS);
    const settled = through.toISOString().slice(0, 10);
    return {
      ...{ channel: name, look_possible: true, looked_through: settled, settled_through: settled },
      ...{ statistic: 1, threshold: 5.75, data_from: dataFrom, settled_replies: 100 },
      rate: { value: 0.05, ci_low: 0.04, ci_high: 0.06, n: 2_000 },
      ...{ last_sent_on: observedUntil, newest_outcome_at: null, changes: [], recounted_at: null },
      ...{ mix: { distance: 0, alert: false }, volume: { ratio: 1, alert: false }, campaigns: 1 },
    };
  };
  return {
    ...{ data_as_of: `${observedUntil}T00:00:00.000Z`, engine_version: 'test', newest_outcome_at: null },
    channels: [channel('email'), channel('linkedin')],
  };
}

/** What a run leaves before decisions are made: its row, and the documents that they rest on. */
export async function storeRun(
  database: TestDatabase,
  { companyId }: TenantScope,
  bandit: BanditDocument,
  patterns: readonly PatternRecord[] = [],
  drift: DriftDocument = driftOf(bandit.data_as_of.slice(0, 10)),
): Promise<string> {
  const runId = randomUUID();
  await database.query(
    `INSERT INTO analysis_runs (company_id, run_id, run_key, state, engine_version, data_as_of, started_at)
     VALUES ($1, $2, $3, 'succeeded', 'test', $4, $4)`,
    [companyId, runId, `manual-${runId}`, bandit.data_as_of],
  );
  for (const [document, content] of [
    [DOCUMENTS.bandit, bandit],
    [DOCUMENTS.patterns, patterns],
    [DOCUMENTS.drift, drift],
  ] as const) {
    await database.query(
      `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
       VALUES ($1, $2, $3, $4, $4, 'e', $5)
       ON CONFLICT (company_id, document) DO UPDATE SET run_id = excluded.run_id, data_as_of = excluded.data_as_of,
         body = excluded.body`,
      [companyId, document, runId, bandit.data_as_of, JSON.stringify(content)],
    );
  }
  return runId;
}
