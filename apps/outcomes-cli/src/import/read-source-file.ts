import {
  detectByRecord,
  FileHistory,
  mapRecord,
  noteRecord,
  OF_THE_FILE,
  optOutsBeside,
  type FaultCode,
  type MapContext,
  type Mapped,
  type Route,
  type SourceProfile,
  type SourceRecord,
} from '@outcomes/source-profiles';
import { CliFailure } from '../output/cli-failure';
import { readRecords, type SourceFile, type SourceRow } from './open-source-file';

export interface SourceReading {
  readonly file: SourceFile;
  readonly profile: SourceProfile;
  /** Of a file of rows; objects are looked at one by one. */
  readonly route: Route;
  readonly campaign?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly observedUntil?: string | undefined;
  readonly lastMessage?: boolean | undefined;
  /** Zero-based steps by the tool's ids of them. */
  readonly steps?: Readonly<Record<string, number>> | undefined;
  /** Addresses of a mailbox's owner. */
  readonly own: ReadonlySet<string>;
}

/** What a first reading of the whole file found. */
export interface SurveyedFile {
  readonly rows: number;
  /** Newest time in it, or as the caller says; ISO 8601. Null where there is none. */
  readonly observedUntil: string | null;
  readonly context: MapContext;
}

export interface MappedRow extends SourceRow {
  readonly mapped: Mapped;
}

/**
 * Reads a file once without sending anything: whatever would make every row mean something else, such as a missing zone,
 * is found here, so that a file goes as a whole or not at all.
 * @throws CliFailure with the code of such a fault
 */
export async function surveyFile(reading: SourceReading): Promise<SurveyedFile> {
  const history = new FileHistory();
  const { profile, campaign, timeZone, observedUntil, lastMessage, steps } = reading;
  const context = { tool: profile.tool, campaign, timeZone, lastMessage, observedUntil, steps, history };
  let [rows, newestMs] = [0, -Infinity];
  let lacksBound: { readonly column: string; readonly row: number } | undefined;
  for await (const { record, row } of readRecords(reading.file, reading.own)) {
    rows += 1;
    const route = routeOf(reading, record);
    if (!route) continue;
    noteRecord(route, record, context, row);
    const mapped = mapRecord(route, record, context, row);
    if ('events' in mapped) {
      for (const { event } of mapped.events)
        newestMs = Math.max(newestMs, timeIn(event.outcome_at), timeIn(event.sent_at));
    }
    if (!('faults' in mapped)) continue;
    for (const { code, column } of mapped.faults) {
      if (code === 'OBSERVED_UNTIL_NEEDED') lacksBound ??= { column, row };
      else if (OF_THE_FILE.has(code))
        throw new CliFailure(`${reading.file.path}: ${sentenceFor(code, column, row)}`);
    }
  }
  const until = observedUntil ?? (newestMs === -Infinity ? undefined : new Date(newestMs).toISOString());
  if (lacksBound && until === undefined) {
    const { column, row } = lacksBound;
    throw new CliFailure(`${reading.file.path}: ${sentenceFor('OBSERVED_UNTIL_NEEDED', column, row)}`);
  }
  return { rows, observedUntil: until ?? null, context: { ...context, observedUntil: until } };
}

/** Reads it again, and says of each row what it becomes. */
export async function* mappedRows(
  reading: SourceReading,
  { context, observedUntil }: SurveyedFile,
): AsyncGenerator<MappedRow> {
  // Only a file without any time has no bound, and it makes no event that an opt-out could stand beside.
  const until = observedUntil ?? new Date().toISOString();
  for await (const row of readRecords(reading.file, reading.own)) {
    const route = routeOf(reading, row.record);
    const mapped = route ? mapRecord(route, row.record, context, row.row) : { skipped: 'unknown_type' };
    yield { ...row, mapped: withOptOuts(reading.profile, row.record, mapped, until) };
  }
}

/**
 * An opt-out counts whatever it is told beside, as in a delivery by webhook.
 * @param until - when the file was complete: a bound that is the same whenever the file is imported, as the ids of events
 * are made of it
 */
function withOptOuts(profile: SourceProfile, record: SourceRecord, mapped: Mapped, until: string): Mapped {
  if (!('events' in mapped)) return mapped;
  return { events: [...mapped.events, ...optOutsBeside(profile, record, mapped.events, until)] };
}

function routeOf({ file, profile, route }: SourceReading, record: SourceRecord): Route | undefined {
  if (file.form === 'csv') return route;
  const detection = detectByRecord([profile], record);
  return 'found' in detection ? detection.found.route : undefined;
}

function timeIn(time: string | undefined): number {
  return time === undefined ? -Infinity : Date.parse(time);
}

const SENTENCES: Readonly<Partial<Record<FaultCode, (column: string) => string>>> = {
  TIME_ZONE_NEEDED: (column) => `times in "${column}" have no zone. Give --time-zone, such as Europe/Berlin`,
  AMBIGUOUS_DATES: (column) =>
    `dates in "${column}" may start with the day or the month. Export them as YYYY-MM-DD, or define their order in a profile of your own (--map)`,
  CAMPAIGN_NEEDED: () => `its rows do not contain the campaign. Give --campaign with the tool's campaign id`,
  OBSERVED_UNTIL_NEEDED: (column) =>
    `"${column}" has no time. Give --observed-until with the time of the export`,
};

function sentenceFor(code: FaultCode, column: string, row: number): string {
  return `${code}: ${SENTENCES[code]?.(column) ?? column} (row ${row}). Nothing was sent.`;
}
