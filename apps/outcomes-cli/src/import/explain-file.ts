import type { Mapped, MappedEvent, MappedRecord } from '@outcomes/source-profiles';
import type { SourceReading, SurveyedFile } from './read-source-file';
import { mappedRows } from './read-source-file';

/** What became of the rows of a file, by what they tell, why they tell nothing, and what is wrong with them. */
export interface RowCounts {
  readonly told: Readonly<Record<string, number>>;
  /** Of these the opt-outs and bounces of rows that are skipped or rejected for the rest. */
  readonly takenAnyway: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  readonly faulty: Readonly<Record<string, number>>;
}

export class RowTally implements RowCounts {
  readonly told: Record<string, number> = {};
  readonly takenAnyway: Record<string, number> = {};
  readonly skipped: Record<string, number> = {};
  readonly faulty: Record<string, number> = {};

  add({ mapped, sticking }: MappedRecord): void {
    if ('skipped' in mapped) count(this.skipped, mapped.skipped);
    else if ('faults' in mapped)
      for (const { code, column } of mapped.faults) count(this.faulty, `${code} ${column}`);
    else for (const made of mapped.events) count(this.told, nameOf(made));
    for (const made of sticking) {
      count(this.told, nameOf(made));
      if (!('events' in mapped)) count(this.takenAnyway, nameOf(made));
    }
  }

  /** Counts what ingest-api took of events that it rejected. */
  takeAnyway(outcome: string, times: number): void {
    count(this.takenAnyway, outcome, times);
  }
}

const nameOf = ({ event }: MappedEvent) => event.outcome ?? event.fact ?? '';

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
  for await (const { mapped, sticking, row } of mappedRows(reading, survey)) {
    tally.add({ mapped, sticking });
    if (explained.length < EXPLAINED_ROWS)
      explained.push(`row ${row} -> ${explanationOf({ mapped, sticking })}`);
  }
  const { rows, observedUntil } = survey;
  const { told, takenAnyway, skipped, faulty } = tally;
  return { ...{ rows, observedUntil, told, takenAnyway, skipped, faulty }, explained };
}

const BOUNDS = { exact: '', not_before: 'not before ', not_after: 'not after ' };

function explanationOf({ mapped, sticking }: MappedRecord): string {
  if ('events' in mapped) return namesOf([...mapped.events, ...sticking]);
  const why = whyNot(mapped);
  return sticking.length > 0 ? `${namesOf(sticking)}; for the rest ${why}` : why;
}

function whyNot(mapped: Exclude<Mapped, { events: unknown }>): string {
  if ('skipped' in mapped) return `nothing (${mapped.skipped})`;
  return mapped.faults.map(({ code, column }) => `rejected: ${code} in "${column}"`).join(', ');
}

function namesOf(events: readonly MappedEvent[]): string {
  return events
    .map(({ event }) => {
      const time = `${BOUNDS[event.outcome_at_is ?? 'exact']}${event.outcome_at ?? event.sent_at}`;
      const isWaiting = event.sent_at === undefined && event.message_ref?.includes(':contact/');
      return `${event.outcome ?? event.fact} ${time}${isWaiting ? '' : ` (step ${event.sequence_step})`}`;
    })
    .join(', ');
}

function count(counts: Record<string, number>, name: string, times = 1): void {
  counts[name] = (counts[name] ?? 0) + times;
}
