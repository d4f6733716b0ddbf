import Papa from 'papaparse';
import type { Progress, Reject, Said } from './import-plan.query';

/** As many as a request may carry. */
const BATCH = 500;
/** Rejects that are kept to be shown and returned; all are counted. */
const MAX_REJECTS = 10_000;

/** What is made of a row, and which row of the file that is. */
interface Numbered {
  readonly row: number;
  readonly value: object;
}

/** Collects what is to be sent, 500 at a time, and counts what became of it. */
export class BatchSender {
  readonly rejects: Reject[] = [];
  progress: Progress = { read: 0, accepted: 0, duplicates: 0, rejected: 0, skipped: 0 };
  private waiting: Numbered[] = [];

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

  reject(reject: Reject): void {
    this.count({ rejected: 1 });
    if (this.rejects.length < MAX_REJECTS) this.rejects.push(reject);
  }

  async add(one: Numbered): Promise<void> {
    this.waiting.push(one);
    if (this.waiting.length === BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.waiting.splice(0);
    if (batch.length === 0) return;
    const values = batch.map(({ value }) => value);
    const isCsv = this.kind === 'csv';
    const answer = await fetch(`/api/c/${this.company}/imports/${this.kind}`, {
      method: 'POST',
      headers: { 'Content-Type': isCsv ? 'text/csv' : 'application/json' },
      body: isCsv ? Papa.unparse(values) : JSON.stringify({ events: values }),
    });
    const said = (await answer.json()) as Answered & { message?: string };
    if (!answer.ok) throw new Error(said.message ?? 'The console refused the rows.');
    this.count({ accepted: said.accepted, duplicates: said.duplicates });
    for (const { index, row, field, code, message } of said.errors) {
      const at = index ?? (row ?? 1) - 1;
      this.reject({ row: batch[at]?.row ?? 0, field, code, message });
    }
    this.say({ kind: 'progress', progress: this.progress });
  }

  private count(more: Partial<Progress>): void {
    const sum = (name: keyof Progress) => this.progress[name] + (more[name] ?? 0);
    this.progress = {
      ...{ read: sum('read'), accepted: sum('accepted'), duplicates: sum('duplicates') },
      ...{ rejected: sum('rejected'), skipped: sum('skipped') },
    };
  }
}

interface Answered {
  readonly accepted: number;
  readonly duplicates: number;
  readonly errors: readonly (Omit<Reject, 'row'> & { readonly index?: number; readonly row?: number })[];
}
