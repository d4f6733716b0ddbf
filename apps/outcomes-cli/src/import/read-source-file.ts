import {
  detectByRecord,
  FileMapping,
  type FaultCode,
  type FileFault,
  type MappedRecord,
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
  readonly mapping: FileMapping;
}

export interface MappedRow extends SourceRow, MappedRecord {}

/**
 * Reads a file once without sending anything: whatever would make every row mean something else, such as a missing zone,
 * is found here, so that a file goes as a whole or not at all.
 * @throws CliFailure with the code of such a fault
 */
export async function surveyFile(reading: SourceReading): Promise<SurveyedFile> {
  const { profile, campaign, timeZone, observedUntil, lastMessage, steps } = reading;
  const given = { campaign, timeZone, observedUntil, lastMessage, steps };
  const mapping = new FileMapping(profile, given, Date.now());
  let rows = 0;
  for await (const { record, row } of readRecords(reading.file, reading.own)) {
    rows += 1;
    const route = routeOf(reading, record);
    if (route && mapping.note(route, record, row)) break;
  }
  const { fault } = mapping;
  if (fault) throw new CliFailure(`${reading.file.path}: ${sentenceFor(fault)}`);
  return { rows, observedUntil: mapping.observedUntil ?? null, mapping };
}

/** Reads it again, and says of each row what it becomes. */
export async function* mappedRows(
  reading: SourceReading,
  { mapping }: SurveyedFile,
): AsyncGenerator<MappedRow> {
  for await (const row of readRecords(reading.file, reading.own))
    yield { ...row, ...mapping.map(routeOf(reading, row.record), row.record, row.row) };
}

function routeOf({ file, profile, route }: SourceReading, record: SourceRecord): Route | undefined {
  if (file.form === 'csv') return route;
  const detection = detectByRecord([profile], record);
  return 'found' in detection ? detection.found.route : undefined;
}

const SENTENCES: Readonly<Partial<Record<FaultCode, (column: string) => string>>> = {
  TIME_ZONE_NEEDED: (column) => `times in "${column}" have no zone. Give --time-zone, such as Europe/Berlin`,
  AMBIGUOUS_DATES: (column) =>
    `dates in "${column}" may start with the day or the month. Export them as YYYY-MM-DD, or define their order in a profile of your own (--map)`,
  CAMPAIGN_NEEDED: () => `its rows do not contain the campaign. Give --campaign with the tool's campaign id`,
  OBSERVED_UNTIL_NEEDED: (column) =>
    `"${column}" has no time. Give --observed-until with the time of the export`,
};

function sentenceFor({ code, column, row }: FileFault): string {
  return `${code}: ${SENTENCES[code]?.(column) ?? column} (row ${row}). Nothing was sent.`;
}
