/** Queues and what travels in them: ids only, never content. Redis speeds work up; Postgres remembers it. */
export const QUEUES = {
  /** "This company has batches to process." Postgres knows which; a lost message only delays. */
  batches: 'batches',
  /** "Analyse this company." */
  analysis: 'analysis',
} as const;

/** Names of the jobs in each queue. The worker checks at start that each has exactly one handler. */
export const JOBS = {
  batches: { process: 'process' },
  /** `analyseAll` comes from the daily schedule and becomes one `analyse` per company. */
  analysis: { analyse: 'analyse', analyseAll: 'analyse-all' },
} as const;

/** How often a job is begun before it counts as failed, whether it throws or the process that has it is killed. */
export const ATTEMPTS = 5;

/**
 * What workers do about one of them that was killed. Redis believes in it for 30 seconds after it last gave a sign;
 * the others look for such jobs this often, and take one up at the second look after that at the latest.
 */
export const TAKING_OVER = { maxStalledCount: ATTEMPTS - 1, stalledInterval: 10_000 } as const;

/** Id of the daily schedule among the schedulers of the analysis queue. */
export const DAILY_SCHEDULE = 'daily-analysis';

export interface BatchesJob {
  readonly companyId: string;
}

export interface AnalysisJob {
  readonly companyId: string;
  /** Repeating a key is harmless: the date of the daily run, or `first-…`, `growth-…`, `erasure-…`,
   * `requested-…`, `manual-…`. */
  readonly runKey: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const RUN_KEY = /^[\w.-]{1,100}$/;

/** @returns the job, or undefined where the payload is not one (it will never become one: do not retry) */
export function parseBatchesJob(payload: unknown): BatchesJob | undefined {
  const companyId = field(payload, 'companyId');
  return companyId !== undefined && UUID.test(companyId) ? { companyId } : undefined;
}

/** @returns the job, or undefined where the payload is not one */
export function parseAnalysisJob(payload: unknown): AnalysisJob | undefined {
  const companyId = field(payload, 'companyId');
  const runKey = field(payload, 'runKey');
  if (companyId === undefined || !UUID.test(companyId)) return undefined;
  return runKey !== undefined && RUN_KEY.test(runKey) ? { companyId, runKey } : undefined;
}

/** @returns the run key that a request for the daily run names; undefined for the schedule's own, which names none */
export function parseDailyRun(payload: unknown): Pick<AnalysisJob, 'runKey'> | undefined {
  const runKey = field(payload, 'runKey');
  return runKey !== undefined && RUN_KEY.test(runKey) ? { runKey } : undefined;
}

function field(payload: unknown, name: string): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const value: unknown = (payload as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
