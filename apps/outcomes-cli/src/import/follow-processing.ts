import { setTimeout as delay } from 'node:timers/promises';
import type { IngestStatus } from '@outcomes/client';
import { Patience } from '../output/patience';
import { startProgress, type Progress } from '../output/progress';
import { readStatus } from './status-client';

/** Looked at often at first, when little is to be done, and then so that the key's window is spared. */
const FIRST_POLL_MS = 250;
const SLOWEST_POLL_MS = 2_000;
/** An analysis that runs shows no progress here; a large company takes minutes. */
const RUNNING_POLLS = 450;

/** How far what was imported is. */
export interface Processed {
  /** Whether everything that is stored is counted; null where that is not known. */
  readonly counted: boolean | null;
  /** Whether an analysis has read everything that is counted; null where that is not known. */
  readonly analysed: boolean | null;
  /** What to do, or what comes by itself, where the import does not end with an analysis. */
  readonly remark?: string;
  /** Whether nothing moves, although it should. */
  readonly isStuck?: boolean;
}

export interface FollowOptions {
  readonly ingestApiUrl: string;
  readonly apiKey: string;
  /** Events that were new. */
  readonly events: number;
  readonly patienceSeconds: number;
}

/** Shows how what was imported is counted and then analysed, and ends when it is. */
export async function followProcessing(options: FollowOptions): Promise<Processed> {
  const patience = new Patience(options.patienceSeconds);
  const bars = new Bars(options.events);
  let [running, pauseMs] = [0, FIRST_POLL_MS];
  try {
    for (;;) {
      const status = await readStatus(options.ingestApiUrl, options.apiKey);
      if (status === 'refused') return UNKNOWN;
      if (status !== 'away') {
        bars.show(status);
        const processed = outcomeOf(status);
        if (processed) return processed;
        running = status.analysis === 'running' ? running + 1 : 0;
        const isPlanned = Date.parse(status.next_analysis.at ?? '') > Date.now();
        if (isPlanned || (running > 0 && running < RUNNING_POLLS)) patience.renew();
      }
      if (!patience.lasts(status)) return stuck(status, options.patienceSeconds);
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 1.2, SLOWEST_POLL_MS);
    }
  } finally {
    bars.stop();
  }
}

const UNKNOWN: Processed = {
  counted: null,
  analysed: null,
  remark:
    'The service does not say how far it is with this key now. Everything is stored; counting and analysing go on.',
};

/** @returns undefined while there is something to wait for */
function outcomeOf(status: IngestStatus): Processed | undefined {
  if (status.batches_pending > 0) return undefined;
  const counted = status.batches_parked === 0;
  const parked = counted
    ? {}
    : {
        remark: `${status.batches_parked} batches of this company could not be counted. "outcomes batches list" shows them.`,
      };
  if (status.analysis !== 'idle') return undefined;
  if (status.unanalysed_since === null) return { counted, analysed: true, ...parked };
  if (status.next_analysis.reason !== 'daily') return undefined;
  const when = status.next_analysis.at ? ` (${status.next_analysis.at})` : '';
  return {
    counted,
    analysed: false,
    remark: `Less than a tenth was added, so the analysis runs with the next daily run${when}. Request one now with POST /ingest/analysis.`,
    ...parked,
  };
}

function stuck(status: IngestStatus | 'away', seconds: number): Processed {
  if (status === 'away') {
    const remark = `ingest-api has not answered for ${seconds} s. Everything is stored; counting and analysis continue without it.`;
    return { counted: null, analysed: null, remark, isStuck: true };
  }
  const counted = status.batches_pending === 0;
  const left = counted
    ? 'The analysis has not run'
    : `${status.events_pending.toLocaleString('en')} events are not counted`;
  const remark = `Everything is stored. ${left}, and nothing has moved for ${seconds} s: check that analysis-worker is running. Run the same command again to follow progress.`;
  return { counted, analysed: false, remark, isStuck: true };
}

/** One bar after the other: events that are counted, then the analysis. */
class Bars {
  private counting?: Progress | undefined;
  private analysing?: Progress;
  private total: number;

  constructor(events: number) {
    this.total = events;
  }

  show(status: IngestStatus): void {
    if (status.batches_pending > 0) this.count(status.events_pending);
    else if (status.unanalysed_since !== null || status.analysis !== 'idle') this.analyse(status);
    // Both may have come to their end since it was last looked at.
    else if (this.counting ?? this.analysing) this.analysisBar().update(1, 'done');
  }

  stop(): void {
    this.counting?.stop();
    this.analysing?.stop();
  }

  private count(pending: number): void {
    this.total = Math.max(this.total, pending);
    this.counting ??= startProgress('counting', this.total);
    const done = this.total - pending;
    this.counting.update(done, `${done.toLocaleString('en')} of ${this.total.toLocaleString('en')} events`);
  }

  /** That of counting is full once this is there. */
  private analysisBar(): Progress {
    this.counting?.update(this.total, `${this.total.toLocaleString('en')} events`);
    this.counting?.stop();
    this.counting = undefined;
    return (this.analysing ??= startProgress('analysing', 1));
  }

  private analyse({ analysis, next_analysis: next }: IngestStatus): void {
    const bar = this.analysisBar();
    const seconds = Math.ceil((Date.parse(next.at ?? '') - Date.now()) / 1_000);
    const notes = new Map([
      ['running', 'under way'],
      ['queued', 'waiting for a worker'],
    ]);
    bar.update(0, notes.get(analysis) ?? (seconds > 0 ? `begins in ${seconds} s` : 'begins'));
  }
}
