import { randomUUID } from 'node:crypto';
import { DAY_MS, DIMENSIONS } from '@outcomes/contracts';
import { createDataSource } from '@outcomes/persistence';
import { createLogger } from '@outcomes/platform';
import { seededRng } from '@outcomes/statistics';
import { generateCohorts, planCompany, type Cohort, type DimensionPlan } from '@outcomes/statistics/testing';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import type { TestDatabase } from '@outcomes/testing';
import { AnalysisService } from '../src/analysis.service';
import { BacktestRepository } from '../src/backtest/backtest.repository';
import { Backtests } from '../src/backtest/backtest.service';
import type { CohortRow } from '../src/cohorts/cohort-row';
import { CohortTable } from '../src/cohorts/cohort-table';
import { ChannelAnalysis } from '../src/changes/channel-analysis.service';
import { ChannelHistoryRepository } from '../src/changes/channel-history.repository';
import { CohortRepository } from '../src/cohorts/cohort.repository';
import { dayOfTime, weekOf } from '../src/cohorts/days';
import { WeekCounts } from '../src/cohorts/week-counts';
import { CampaignEvidenceRepository } from '../src/evidence/campaign-evidence.repository';
import { LlmAnalysis } from '../src/llm/llm-analysis.service';
import { LlmSampleRepository } from '../src/llm/llm-sample.repository';
import { LentPriorRepository } from '../src/priors/lent-prior.repository';
import { CriticalCampaignRepository } from '../src/news/critical-campaign.repository';
import { PlatformPrior } from '../src/priors/platform-prior.service';
import { ResponderRepository } from '../src/recipients/responder.repository';
import { CalibrationRepository } from '../src/calibration/calibration.repository';
import { CalibrationService } from '../src/calibration/calibration.service';
import { DecisionReplay } from '../src/decisions/decision-replay.service';
import { DecisionRepository } from '../src/decisions/decision.repository';
import { DecisionService } from '../src/decisions/decision.service';
import { AnalysisRunRepository } from '../src/runs/analysis-run.repository';
import { THROWN_ERRORS } from './decision-fixture';

/** The catalogue's dimensions, level by level in the order of LEVELS, each level as frequent as the others. */
const PLANS: readonly DimensionPlan[] = DIMENSIONS.map(({ name, levels, ...dimension }) => ({
  name,
  levels,
  shares: levels.map(() => 1 / levels.length),
  ...('replaces' in dimension && { stratumPart: dimension.replaces }),
  ...(name === 'weekday' && { byDay: true }),
}));

/** 2026-01-05, a Monday. */
export const FIRST_DAY = 20_458;

export interface CompanyPlan {
  readonly seed?: number;
  readonly days: number;
  readonly sendsPerDay: number;
  /** log odds ratio per "dimension.level" */
  readonly effects?: Readonly<Record<string, number>>;
  readonly firstDay?: number;
  /** default 0.08 */
  readonly baseRate?: number;
}

export type PlannedRow = CohortRow & Readonly<Record<'levelTouches' | 'levelReplies', readonly number[]>>;

/** Counts of a company with known effects; positions are POSITIONS[1] to POSITIONS[4]. */
export function plannedRows({
  seed = 1,
  days,
  sendsPerDay,
  effects = {},
  baseRate = 0.08,
  firstDay = FIRST_DAY,
}: CompanyPlan): PlannedRow[] {
  const rng = seededRng(seed);
  const model = planCompany({ effects, dimensions: PLANS, baseRate, strataSpread: 0, confounding: 0 }, rng);
  return generateCohorts(model, { days, sendsPerDay, startDay: firstDay }, rng).map(rowOf);
}

/** The history that these rows are, in any order. */
export function tableOf(rows: readonly CohortRow[], senderClock?: (at: number) => number): CohortTable {
  const sorted = [...rows].sort(
    (a, b) => a.day - b.day || a.channel - b.channel || a.step - b.step || a.position - b.position,
  );
  const days = sorted.map(({ day, lastOutcomeAt }) =>
    Math.max(day, dayOfTime(lastOutcomeAt?.getTime() ?? 0)),
  );
  const table = new CohortTable(Math.max(0, ...days), undefined, senderClock);
  for (const [number, members] of Map.groupBy(sorted, ({ day }) => weekOf(day))) {
    const week = new WeekCounts(number);
    for (const row of members) week.append(row);
    table.addWeek(week);
  }
  return table;
}

function rowOf({ day, stratum, totalN, totalY, n, y }: Cohort): PlannedRow {
  return {
    day,
    channel: stratum.channel,
    step: stratum.step,
    position: stratum.position + 1,
    touches: totalN,
    replies: totalY,
    bounces: 0,
    unsubscribes: 0,
    opens: totalY,
    meetings: 0,
    streamed: 0,
    lastOutcomeAt: new Date((day + 2) * DAY_MS),
    levelTouches: Array.from(n),
    levelReplies: Array.from(y),
    levelRandomized: [],
    hourTouches: hourly(totalN),
    hourReplies: hourly(totalY),
    replyDelays: [0, totalY],
  };
}

/** Everything at nine in the morning. */
const hourly = (count: number) => Array.from({ length: 24 }, (_, hour) => (hour === 9 ? count : 0));

export async function createCompany(database: TestDatabase): Promise<TenantScope> {
  const companyId = randomUUID();
  await database.query(
    `INSERT INTO companies (company_id, name, created_at) VALUES ($1, 'Test', '2026-01-01T00:00:00Z')`,
    [companyId],
  );
  return mintTenantScope(companyId);
}

export async function storeRows(
  database: TestDatabase,
  { companyId }: TenantScope,
  rows: readonly CohortRow[],
) {
  const payload = rows.map((row) => ({
    ...row,
    day: new Date(row.day * DAY_MS).toISOString().slice(0, 10),
  }));
  await database.query(
    `INSERT INTO cohort_counts (company_id, sent_day, channel, step_bucket, position, touches, replies, bounces,
       unsubscribes, opens, meetings, streamed, last_outcome_at, level_touches, level_replies, hour_touches,
       hour_replies, reply_delays)
     SELECT $1, day, channel, step, "position", touches, replies, bounces, unsubscribes, opens, meetings, streamed,
       "lastOutcomeAt", "levelTouches", "levelReplies", "hourTouches", "hourReplies", "replyDelays"
     FROM jsonb_to_recordset($2) AS row (day date, channel smallint, step smallint, "position" smallint, touches int,
       replies int, bounces int, unsubscribes int, opens int, meetings int, streamed int, "lastOutcomeAt" timestamptz,
       "levelTouches" int[], "levelReplies" int[], "hourTouches" int[], "hourReplies" int[], "replyDelays" int[])`,
    [companyId, JSON.stringify(payload)],
  );
}

/** One processed batch, as ingestion leaves it. */
export async function storeProcessedBatch(
  database: TestDatabase,
  { companyId }: TenantScope,
  receivedAt: string,
) {
  await database.query(
    `INSERT INTO ingest_batches (company_id, batch_id, event_ids, received_at, processed_at)
     VALUES ($1, $2, '{}', $3, $3)`,
    [companyId, randomUUID(), receivedAt],
  );
}

/** Touches that were answered, by position index, with the given confidence. */
export async function storeResponders(
  database: TestDatabase,
  { companyId }: TenantScope,
  people: readonly { readonly recipient: string; readonly position: number; readonly confidence: number }[],
) {
  for (const { recipient, position, confidence } of people) {
    await database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
         streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
       VALUES ($1, $2, 0, 0, $3, $4, 1, false, '2026-01-05', '2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z', '{}', $5, 't', md5($5))`,
      [companyId, randomUUID(), position, confidence, recipient],
    );
  }
}

export interface AnalysisParts {
  readonly service: AnalysisService;
  readonly cohorts: CohortRepository;
  readonly channels: ChannelAnalysis;
  readonly responders: ResponderRepository;
  readonly runs: AnalysisRunRepository;
  readonly decisions: DecisionService;
  readonly replay: DecisionReplay;
  readonly evidence: CampaignEvidenceRepository;
  readonly backtests: Backtests;
  readonly tenants: TenantDatabase;
  close(): Promise<void>;
}

/** The analysis over a worker's own login. Its clock moves on a second at each look. */
export async function openAnalysis(url: string): Promise<AnalysisParts> {
  const dataSource = createDataSource({
    url,
    applicationName: 'analysis-test',
    poolSize: 4,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 2_000,
  });
  await dataSource.initialize();
  const tenants = new TenantDatabase(dataSource);
  let now = Date.parse('2026-06-01T02:00:00Z');
  const clock = { now: () => new Date((now += 1_000)) };
  const [cohorts, responders, runs] = [
    new CohortRepository(tenants),
    new ResponderRepository(tenants),
    new AnalysisRunRepository(tenants),
  ];
  const calibration = new CalibrationService(new CalibrationRepository(tenants), runs, clock);
  const decisions = new DecisionService(
    new DecisionRepository(tenants),
    runs,
    calibration,
    clock,
    THROWN_ERRORS,
  );
  const replay = new DecisionReplay(tenants);
  const evidence = new CampaignEvidenceRepository(tenants);
  const histories = new ChannelHistoryRepository(tenants);
  const channels = new ChannelAnalysis(histories, clock);
  const backtests = new Backtests(
    ...([new BacktestRepository(tenants), evidence, histories, cohorts, runs, clock] as const),
    createLogger('test', 'silent'),
  );
  const service = new AnalysisService(
    cohorts,
    evidence,
    channels,
    responders,
    new CriticalCampaignRepository(tenants),
    runs,
    decisions,
    new PlatformPrior(new LentPriorRepository(tenants), clock),
    new LlmAnalysis(null, new LlmSampleRepository(tenants), runs, clock, createLogger('test', 'silent')),
    backtests,
    clock,
    createLogger('test', 'silent'),
  );
  return {
    service,
    cohorts,
    channels,
    responders,
    runs,
    decisions,
    replay,
    evidence,
    backtests,
    tenants,
    close: async () => {
      await backtests.onModuleDestroy();
      await dataSource.destroy();
    },
  };
}
