import type { AnalysesUnderWay, AnalysisJob, QueueProducer } from '@outcomes/queues';
import type { TenantScope } from '@outcomes/tenancy';
import type { OpenInstallation } from './open-installation';
import { pendingBatches, type PendingBatches } from './pending-batches.repository';

/** What goes on while somebody waits for an analysis. */
export interface WorkUnderWay {
  /** In plain words. */
  readonly waitingFor: string;
  /** Whether a worker has an analysis in hand, this one or another. */
  readonly isBusy: boolean;
  /** Of the analysis that is waited for, in per cent. */
  readonly progress: number;
  /** Anything in here that changes is a sign of life. */
  readonly signs: readonly number[];
}

/** Looks into Postgres and Redis for what the workers do. */
export async function workUnderWay(
  installation: OpenInstallation,
  scope: TenantScope,
  queue: QueueProducer,
  job: AnalysisJob,
): Promise<WorkUnderWay> {
  const pending = await pendingBatches(installation, scope);
  const analyses = await queue.analysesUnderWay();
  const running = analyses?.running ?? [];
  const progress = running.find(({ runKey }) => runKey === job.runKey)?.progress ?? 0;
  return {
    waitingFor: `waiting: ${reasonOf(pending, analyses, job)}`,
    isBusy: running.length > 0,
    progress,
    signs: [pending.batches, pending.events, analyses?.waiting ?? -1, progress],
  };
}

function reasonOf(pending: PendingBatches, analyses: AnalysesUnderWay | undefined, job: AnalysisJob): string {
  if (pending.batches > 0) return countingText(pending);
  if (analyses === undefined) return 'Redis does not answer';
  const [running] = analyses.running;
  if (running === undefined) return 'for a worker to pick up the analysis';
  if (analyses.running.some(({ runKey }) => runKey === job.runKey)) return 'the analysis is starting';
  return running.companyId === job.companyId
    ? 'the worker is running another analysis of this company'
    : 'the worker is analysing another company';
}

/** `41 batches (20,500 events) to count` */
export function countingText({ batches, events }: PendingBatches): string {
  const noun = batches === 1 ? 'batch' : 'batches';
  return `${batches.toLocaleString('en')} ${noun} (${events.toLocaleString('en')} events) to count`;
}
