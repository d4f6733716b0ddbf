import { ROW_FAULTS, type FaultCode } from '@outcomes/source-profiles';
import { remark, table } from '../output/terminal';
import type { ExplainedFile, RowCounts } from './explain-file';
import type { SourceReading, SurveyedFile } from './read-source-file';

/** With what helps here. */
const HINTS: Partial<Record<FaultCode, string>> = {
  ...ROW_FAULTS,
  UNMAPPED_VALUE: `${ROW_FAULTS.UNMAPPED_VALUE} --map takes a profile of your own that does.`,
};

/** What an import says of the file that it read. */
export interface ReadingSummary extends RowCounts {
  readonly tool: string;
  readonly route: string;
  readonly draft: boolean;
  readonly rows: number;
  /** Up to when the file tells what happened; ISO 8601, null where it bears no time. */
  readonly observedUntil: string | null;
}

/** Says whose file it is taken for, and what of that nobody has verified. */
export function describeReading({ profile, route }: SourceReading): void {
  remark(`reading it as ${profile.title}, ${route.name}`);
  if (route.unverified) {
    remark(
      `This profile is a draft. Not verified: ${route.unverified.join('; ')}. Check it with --dry-run before you rely on it.`,
    );
  }
}

export function readingSummary(
  { profile, route }: SourceReading,
  { rows, observedUntil }: SurveyedFile,
  { told, takenAnyway, skipped, faulty }: RowCounts,
): ReadingSummary {
  const draft = route.unverified !== undefined;
  const counts = { told, takenAnyway, skipped, faulty };
  return { tool: profile.tool, route: route.name, draft, rows, observedUntil, ...counts };
}

/** For people: ten rows, then what all of them tell. */
export function explanationOf({
  rows,
  observedUntil,
  told,
  takenAnyway,
  skipped,
  faulty,
  explained,
}: ExplainedFile): string {
  const counts = [
    ...Object.entries(told).map(([name, count]) => ['tells', name, count] as const),
    ...Object.entries(skipped).map(([name, count]) => ['skipped', name, count] as const),
    ...Object.entries(faulty).map(([name, count]) => ['rejected', name, count] as const),
  ];
  return [
    ...explained,
    '',
    table(['', 'what', 'count'], counts),
    ...takenLines(takenAnyway),
    ...hintsAt(faulty),
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}, up to ${observedUntil ?? 'an unknown time'}. Nothing was sent.`,
  ].join('\n');
}

/** What was taken of rows that are counted as skipped or rejected; no line where that is nothing. */
export function takenLines(takenAnyway: RowCounts['takenAnyway']): string[] {
  const counts = Object.entries(takenAnyway).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  return counts.length > 0 ? [`Taken from rows that are skipped or rejected: ${counts.join(', ')}.`] : [];
}

/** One line for each code among the faults, which are counted by code and column. */
export function hintsAt(faulty: RowCounts['faulty']): string[] {
  const codes = new Set(Object.keys(faulty).map((name) => name.split(' ', 1)[0] as FaultCode));
  return [...codes].flatMap((code) => (HINTS[code] === undefined ? [] : [`${code}: ${HINTS[code]}`]));
}
