import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { recordAdministration } from '@outcomes/audit';
import { AnalysisRunEntity } from '@outcomes/persistence';
import type { AnalysisJob, QueueProducer } from '@outcomes/queues';
import type { TenantScope } from '@outcomes/tenancy';
import { CliFailure } from '../output/cli-failure';
import { Patience } from '../output/patience';
import { startProgress, type Progress } from '../output/progress';
import { remarkChanges } from '../output/terminal';
import type { OpenInstallation } from './open-installation';
import { workUnderWay } from './work-under-way';

export interface AnalysisState {
  readonly runId: string;
  readonly state: AnalysisRunEntity['state'];
}

export interface AnalysisWait {
  /** Whether to return only when the run has ended; else as soon as it has begun. */
  readonly untilEnd: boolean;
  /** How long to wait while no worker does anything; default 60. */
  readonly patienceSeconds?: number;
}

const QUEUE_TIMEOUT_MS = 5_000;
const PATIENCE_SECONDS = 60;
const POLL_MS = 100;

/**
 * Writes down who asks for an analysis.
 * @throws CliFailure where there is no such company
 */
export async function recordRequest(
  { database, deed, requireCompany }: OpenInstallation,
  scope: TenantScope,
): Promise<void> {
  // Not within the transaction, out of which come errors for callers alone.
  await requireCompany(scope.companyId);
  await database.transaction(scope, async (transaction) => {
    const occurredAt = new Date();
    await recordAdministration(transaction, {
      ...deed,
      action: 'analysis.request',
      subject: null,
      occurredAt,
    });
  });
}

/**
 * Asks the worker for an analysis of everything that is accepted by now, and waits for it as long as work is under
 * way, whoever's it is; standard error says what it waits for.
 * @throws CliFailure where the queue cannot be reached, or nothing has moved for a while
 */
export async function requestAnalysis(
  installation: OpenInstallation,
  scope: TenantScope,
  wait: AnalysisWait,
): Promise<AnalysisState> {
  const queue = await installation.openQueue();
  try {
    const job = { companyId: scope.companyId, runKey: `manual-${randomUUID()}` };
    await enqueue(queue, job);
    return await follow(installation, scope, queue, job, wait);
  } finally {
    await queue.onApplicationShutdown();
  }
}

async function enqueue(queue: QueueProducer, job: AnalysisJob): Promise<void> {
  const deadline = performance.now() + QUEUE_TIMEOUT_MS;
  while (!(await queue.requestAnalysis(job))) {
    if (performance.now() > deadline)
      throw new CliFailure('Redis is not reachable. Check REDIS_URL, or run "outcomes doctor".');
    await delay(POLL_MS);
  }
}

async function follow(
  installation: OpenInstallation,
  scope: TenantScope,
  queue: QueueProducer,
  job: AnalysisJob,
  { untilEnd, patienceSeconds = PATIENCE_SECONDS }: AnalysisWait,
): Promise<AnalysisState> {
  const patience = new Patience(patienceSeconds);
  const say = remarkChanges();
  let progress: Progress | undefined;
  try {
    for (;;) {
      const run = await findRun(installation, scope, job.runKey);
      if (run && (!untilEnd || run.state !== 'running')) return run;
      const work = await workUnderWay(installation, scope, queue, job);
      if (run) {
        progress ??= startProgress('analysing', 100);
        progress.update(work.progress, '');
      } else say(work.waitingFor);
      if (work.isBusy) patience.renew();
      if (!patience.lasts([run, work])) throw gaveUp(patienceSeconds);
      await delay(POLL_MS);
    }
  } finally {
    progress?.stop();
  }
}

function gaveUp(seconds: number): CliFailure {
  return new CliFailure(
    `the analysis is queued, but no worker has done anything for ${seconds} s. Check that analysis-worker is running with the same DATABASE_URL, REDIS_URL and REDIS_PREFIX as here ("outcomes doctor" checks them). The analysis runs as soon as a worker does.`,
  );
}

async function findRun(
  { database }: OpenInstallation,
  scope: TenantScope,
  runKey: string,
): Promise<AnalysisState | undefined> {
  const run = await database.transaction(scope, ({ manager, companyId }) =>
    manager.findOneBy(AnalysisRunEntity, { companyId, runKey }),
  );
  if (!run) return undefined;
  // What is published is not all: the run has ended when its decisions are frozen, too.
  const isUnderWay = run.state === 'succeeded' && run.decisionsMadeAt === null;
  return { runId: run.runId, state: isUnderWay ? 'running' : run.state };
}
