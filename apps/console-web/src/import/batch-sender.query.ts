import Papa from 'papaparse';
import type { Account, Progress, Reject, Said } from './import-plan.query';
import { sendUntilAnswered } from './repeated-request.query';

/** As many as a request may carry. */
const BATCH = 500;
/** A little under the 5 MB that one takes, for the header. */
const BATCH_BYTES = 4_900_000;
/** Rejects that are kept to be shown and returned; all are counted. */
const MAX_REJECTS = 10_000;

/** What is made of a row, and which row of the file that is. */
interface Numbered {
  readonly row: number;
  readonly value: object;
  /**
   * Of a row whose cells do not fit the header: what is wrong. It goes with a cell too many, to be rejected by the service,
   * which takes an opt-out in it all the same.
   */
  readonly misfit?: string;
}

const encoder = new TextEncoder();

/** Collects what is to be sent, as much at a time as a request takes, and counts what became of it. */
export class BatchSender {
  private readonly rejects: Reject[] = [];
  private progress: Progress = {
    read: 0,
    accepted: 0,
    duplicates: 0,
    rejected: 0,
    skipped: 0,
    takenAnyway: 0,
  };
  private waiting: Numbered[] = [];
  private bytes = 0;

  constructor(
    private readonly company: string,
    private readonly kind: 'events' | 'csv',
    private readonly say: (said: Said) => void,
  ) {}

  /** Counts a row of the file, whatever becomes of it. */
  read(): void {
    this.count({ read: 1 });
  }

  skip(): void {
    this.count({ skipped: 1 });
  }

  /** Counts opt-outs and bounces of a row that tells nothing else, or is rejected. */
  takeAnyway(events: number): void {
    this.count({ takenAnyway: events });
  }

  /** Counts a row that cannot be sent, by all its faults once. */
  reject(faults: readonly Reject[]): void {
    this.count({ rejected: 1 });
    this.note(faults);
  }

  get account(): Account {
    return { progress: this.progress, rejects: this.rejects };
  }

  async add(one: Numbered): Promise<void> {
    // As a row of a CSV it is shorter than in JSON, which names every cell.
    const { length } = encoder.encode(JSON.stringify(one.value));
    if (this.bytes + length > BATCH_BYTES) await this.flush();
    this.waiting.push(one);
    this.bytes += length;
    if (this.waiting.length === BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.waiting.splice(0);
    this.bytes = 0;
    if (batch.length === 0) return;
    const isCsv = this.kind === 'csv';
    const request = {
      method: 'POST',
      headers: { 'Content-Type': isCsv ? 'text/csv' : 'application/json' },
      body: isCsv ? csvOf(batch) : JSON.stringify({ events: batch.map(({ value }) => value) }),
    };
    const {
      accepted,
      duplicates,
      rejected,
      errors,
      taken_anyway: taken = [],
    } = await sendUntilAnswered<Answered>(`/api/c/${this.company}/imports/${this.kind}`, request, () =>
      this.say({ kind: 'waiting' }),
    );
    // A row may have several faults.
    this.count({ accepted, duplicates, rejected, takenAnyway: taken.length });
    this.note(
      errors.map(({ index, row, field, code, message }) => {
        const at = index ?? (row ?? 1) - 1;
        const { row: rowOfFile = 0, misfit } = batch[at] ?? {};
        return { row: rowOfFile, field, code, message: misfit ?? message };
      }),
    );
    this.say({ kind: 'progress', progress: this.progress });
  }

  private note(faults: readonly Reject[]): void {
    this.rejects.push(...faults.slice(0, MAX_REJECTS - this.rejects.length));
  }

  private count(more: Partial<Progress>): void {
    const sum = (name: keyof Progress) => this.progress[name] + (more[name] ?? 0);
    this.progress = {
      ...{ read: sum('read'), accepted: sum('accepted'), duplicates: sum('duplicates') },
      ...{ rejected: sum('rejected'), skipped: sum('skipped'), takenAnyway: sum('takenAnyway') },
    };
  }
}

/** @param batch - not empty; all have the same columns */
function csvOf(batch: readonly Numbered[]): string {
  const rows = batch.map(({ value, misfit }) => [
    ...Object.values<unknown>({ ...value }),
    ...(misfit === undefined ? [] : ['']),
  ]);
  return Papa.unparse([Object.keys(batch[0]?.value ?? {}), ...rows]);
}

interface Answered {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** Opt-outs and bounces of what is rejected, which hold all the same. */
  readonly taken_anyway?: readonly object[];
  readonly errors: readonly (Omit<Reject, 'row'> & { readonly index?: number; readonly row?: number })[];
}
