import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AnalysisRunEntity } from '@outcomes/persistence';
import type { QueueProducer } from '@outcomes/queues';
import type { TenantScope } from '@outcomes/tenancy';
import { CliFailure } from '../output/cli-failure';
import { startProgress } from '../output/progress';
import type { OpenInstallation } from './open-installation';

export interface AnalysisState {
  readonly runId: string;
  readonly state: AnalysisRunEntity['state'];
}

const START_TIMEOUT_MS = 30_000;
const FINISH_TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 50;

/**
 * Asks the worker for an analysis of everything that is processed by now.
 * @param wait - whether to return only when it has finished; else as soon as it has started
 * @throws CliFailure where the queue cannot be reached, the worker does not start, or the run does not end
 */
export async function requestAnalysis(
  installation: OpenInstallation,
  scope: TenantScope,
  wait: boolean,
): Promise<AnalysisState> {
  const queue = installation.openQueue();
  try {
    return await follow(installation, scope, queue, wait);
  } finally {
    await queue.onApplicationShutdown();
  }
}

async function follow(
  installation: OpenInstallation,
  scope: TenantScope,
  queue: QueueProducer,
  wait: boolean,
): Promise<AnalysisState> {
  const job = { companyId: scope.companyId, runKey: `manual-${randomUUID()}` };
  const { runKey } = job;
  const queued = await until(5_000, async () => (await queue.requestAnalysis(job)) || undefined);
  if (!queued) throw new CliFailure('Redis is not reachable. Check REDIS_URL, or run "outcomes doctor".');
  const started = await until(START_TIMEOUT_MS, () => findRun(installation, scope, runKey));
  if (!started) {
    throw new CliFailure(
      'the analysis is queued, but no worker took it within 30 s. Does analysis-worker run?',
    );
  }
  if (!wait) return started;
  const progress = startProgress('analysing', 100);
  const finished = await until(FINISH_TIMEOUT_MS, async () => {
    progress.update((await queue.progressOf(job)) ?? 0, '');
    const run = await findRun(installation, scope, runKey);
    return run?.state === 'running' ? undefined : run;
  }).finally(() => progress.stop());
  if (!finished)
    throw new CliFailure(`run ${started.runId} has not ended within 15 minutes; see the worker's log.`);
  return finished;
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

async function until<Value>(
  timeoutMs: number,
  attempt: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await attempt();
    if (value !== undefined || performance.now() > deadline) return value;
    await delay(POLL_MS);
  }
}
