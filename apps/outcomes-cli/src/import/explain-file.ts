import type { Mapped } from '@outcomes/source-profiles';
import type { SourceReading, SurveyedFile } from './read-source-file';
import { mappedRows } from './read-source-file';

/** What became of the rows of a file, by what they tell, why they tell nothing, and what is wrong with them. */
export interface RowCounts {
  readonly told: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  readonly faulty: Readonly<Record<string, number>>;
}

export class RowTally implements RowCounts {
  readonly told: Record<string, number> = {};
  readonly skipped: Record<string, number> = {};
  readonly faulty: Record<string, number> = {};

  add(mapped: Mapped): void {
    if ('skipped' in mapped) count(this.skipped, mapped.skipped);
    else if ('faults' in mapped)
      for (const { code, column } of mapped.faults) count(this.faulty, `${code} ${column}`);
    else for (const { event } of mapped.events) count(this.told, event.outcome ?? event.fact ?? '');
  }
}

export interface ExplainedFile extends RowCounts {
  readonly rows: number;
  readonly observedUntil: string | null;
  /** The first rows, one line each, without a name or an address. */
  readonly explained: readonly string[];
}

const EXPLAINED_ROWS = 10;

/** Says what an import would send, without sending it. */
export async function explainFile(reading: SourceReading, survey: SurveyedFile): Promise<ExplainedFile> {
  const tally = new RowTally();
  const explained: string[] = [];
  for await (const { mapped, row } of mappedRows(reading, survey)) {
    tally.add(mapped);
    if (explained.length < EXPLAINED_ROWS) explained.push(`row ${row} -> ${explanationOf(mapped)}`);
  }
  const { told, skipped, faulty } = tally;
  return { rows: survey.rows, observedUntil: survey.observedUntil, told, skipped, faulty, explained };
}

const BOUNDS = { exact: '', not_before: 'not before ', not_after: 'not after ' };

function explanationOf(mapped: Mapped): string {
  if ('skipped' in mapped) return `nothing (${mapped.skipped})`;
  if ('faults' in mapped)
    return mapped.faults.map(({ code, column }) => `rejected: ${code} in "${column}"`).join(', ');
  return mapped.events
    .map(({ event }) => {
      const time = `${BOUNDS[event.outcome_at_is ?? 'exact']}${event.outcome_at ?? event.sent_at}`;
      const isWaiting = event.sent_at === undefined && event.message_ref?.includes(':contact/');
      return `${event.outcome ?? event.fact} ${time}${isWaiting ? '' : ` (step ${event.sequence_step})`}`;
    })
    .join(', ');
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
