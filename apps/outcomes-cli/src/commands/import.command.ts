import { Command, InvalidArgumentError } from 'commander';
import { addressOf, isTimeZone } from '@outcomes/source-profiles';
import { chooseProfile } from '../import/choose-profile';
import { explainFile } from '../import/explain-file';
import { followProcessing, type Processed } from '../import/follow-processing';
import { importFile, type ImportOptions, type ImportResult } from '../import/import-file';
import { importSourceFile } from '../import/import-source-file';
import type { Fault, ImportTotals } from '../import/import-state';
import { openSourceFile, type SourceFile } from '../import/open-source-file';
import {
  type ReadingSummary,
  describeReading,
  explanationOf,
  hintsAt,
  readingSummary,
  takenLines,
} from '../import/present-reading';
import { surveyFile, type SourceReading } from '../import/read-source-file';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { secondsOf } from '../output/options';
import { startProgress } from '../output/progress';
import { present, remark, table } from '../output/terminal';

interface Options {
  readonly key?: string;
  readonly url?: string;
  readonly stateFolder: string;
  readonly wait: boolean;
  readonly patience: number;
  readonly json?: boolean;
  readonly from?: string;
  readonly map?: string;
  readonly campaign?: string;
  readonly timeZone?: string;
  readonly observedUntil?: string;
  readonly lastMessage?: boolean;
  readonly steps?: Readonly<Record<string, number>>;
  readonly mailbox?: ReadonlySet<string>;
  readonly dryRun?: boolean;
}

export function importCommand(config: CliConfig): Command {
  return new Command('import')
    .description(
      'Sends a file of outcomes (plain or gzip, any size) through ingest-api and waits until everything is counted and analysed. The file is CSV with the columns of an outcome event, or an export of an outreach tool, recognised by its columns. Run the same command again to resume after an interruption; sending a file twice changes nothing. Ends with 1 if every row is rejected; rows that are rejected beside others are listed in a file.',
    )
    .argument('<file>', 'CSV with a header row (, ; or tab; UTF-8 or UTF-16), JSON, mbox or eml')
    .option('--from <tool>', 'tool that exported the file, if its columns do not tell')
    .option('--map <profile>', 'your own profile for the file (JSON)')
    .option('--campaign <id>', "the tool's campaign id, if rows do not have it")
    .option('--time-zone <zone>', 'for times without a zone, such as Europe/Berlin', zoneOf)
    .option('--observed-until <time>', 'when the file was exported, for rows without times', momentOf)
    .option('--last-message', 'take the last message to each contact, from a file with one row per contact')
    .option('--steps <table>', "maps the tool's step ids to steps, from 0: 198394=0,198395=1", stepsOf)
    .option('--mailbox <addresses>', 'addresses of the mailbox owner, comma-separated', addressesOf)
    .option('--dry-run', 'send nothing: explain the first ten rows and count what the file contains')
    .option('--key <key>', 'API key (default: OUTCOMES_API_KEY, else the local quickstart key)')
    .option('--url <url>', `address of ingest-api (default: ${config.ingestApiUrl})`)
    .option('--state-folder <folder>', 'folder for progress and rejected rows', '.local/imports')
    .option('--no-wait', 'return once everything is stored')
    .option('--patience <seconds>', 'give up after this long without progress', secondsOf, 60)
    .option('--json', 'print a single JSON document on standard output')
    .action((file: string, options: Options) => runImport(config, file, options));
}

async function runImport(config: CliConfig, path: string, options: Options): Promise<void> {
  const file = await openSourceFile(path);
  const reading = await readingOf(file, options);
  if (reading) describeReading(reading);
  if (options.dryRun) {
    if (!reading)
      throw new CliFailure('--dry-run only explains exports of outreach tools; this file is sent as is.');
    const explained = await explainFile(reading, await surveyFile(reading));
    present(options.json ?? false, explained, () => explanationOf(explained));
    return;
  }
  const apiKey = options.key ?? config.apiKey;
  if (!apiKey) throw new CliFailure('no API key: give --key, or set OUTCOMES_API_KEY.');
  if (options.key === undefined && config.isDemonstrationKey)
    remark('No key was given: this goes to the demonstration company of npm start. --key names another.');
  const ingestApiUrl = options.url ?? config.ingestApiUrl;
  const { result, source } = await sendFile(file, reading, {
    ingestApiUrl,
    apiKey,
    stateFolder: options.stateFolder,
  });
  const { accepted, duplicates, rejected, takenAnyway, rejectsFile, resumedAtRow } = result;
  const faults = mostOftenFirst(result.faults);
  if (resumedAtRow > 0) remark(`resuming an interrupted import at row ${resumedAtRow + 1}`);
  const { patience: patienceSeconds } = options;
  const isRefused = accepted === 0 && rejected > 0;
  // Nothing of the file is there to be counted: what else the company has says nothing about it.
  const processed: Processed =
    options.wait && !isRefused
      ? await followProcessing({ ingestApiUrl, apiKey, events: accepted - duplicates, patienceSeconds })
      : { counted: null, analysed: null };
  if (processed.remark !== undefined) remark(processed.remark);
  if (isRefused) remark(allRejected(result, source !== undefined));
  if (processed.isStuck || isRefused) process.exitCode = 1;
  const { counted, analysed } = processed;
  const document = {
    accepted,
    duplicates,
    rejected,
    ...(source ? {} : { takenAnyway, faults }),
    rejectsFile,
    counted,
    analysed,
    ...(source && { source }),
  };
  present(options.json ?? false, document, () =>
    [
      table(['accepted', 'duplicates', 'rejected'], [[accepted, duplicates, rejected]]),
      ...takenLines(source ? source.takenAnyway : takenAnyway),
      ...(source ? hintsAt(source.faulty) : faultLines(faults)),
      ...(rejectsFile ? [`Rejected rows with their errors: ${rejectsFile}`] : []),
    ].join('\n'),
  );
}

/** So many kinds of faults are printed: the list of rejects has them all. */
const MAX_FAULTS = 5;

function mostOftenFirst(faults: ImportResult['faults']): Fault[] {
  return Object.values(faults).sort((one, other) => other.events - one.events);
}

function faultLines(faults: readonly Fault[]): string[] {
  const lines = faults.slice(0, MAX_FAULTS).map(({ field, code, message, events }) => {
    const rows = events === 1 ? '1 row' : `${events.toLocaleString('en')} rows`;
    return `${rows}: ${field || 'event'}: ${code}: ${message}`;
  });
  return faults.length > MAX_FAULTS ? [...lines, 'and other faults, of no more rows each'] : lines;
}

function allRejected({ rejected, rejectsFile }: ImportResult, isOfTool: boolean): string {
  const file = rejectsFile ?? 'the list of rejects';
  // Of a tool's file the list has no rows, and counts a row once for each of its faults.
  if (isOfTool)
    return `Nothing was imported: every row that tells something was rejected. ${file} says which and why. Correct the file, or how it is read (--help), and import it again.`;
  const what =
    rejected === 1 ? 'The only row was rejected' : `All ${rejected.toLocaleString('en')} rows were rejected`;
  return `${what}, so nothing was imported. Correct them in ${file} and import that file.`;
}

async function sendFile(
  file: SourceFile,
  reading: SourceReading | undefined,
  how: Pick<ImportOptions, 'ingestApiUrl' | 'apiKey' | 'stateFolder'>,
): Promise<{ result: ImportResult; source?: ReadingSummary }> {
  const survey = reading && (await surveyFile(reading));
  const progress = startProgress('importing', 1_000);
  const options: ImportOptions = {
    ...how,
    file: file.path,
    onProgress: (share, totals) => progress.update(Math.round(share * 1_000), noteOf(totals)),
    onWait: (reason) => remark(`waiting: ${reason}`),
  };
  try {
    if (!reading || !survey) return { result: await importFile(options, file) };
    const result = await importSourceFile(options, reading, survey);
    return { result, source: readingSummary(reading, survey, result) };
  } finally {
    progress.stop();
  }
}

/** @returns undefined where the rows are those of the contract */
async function readingOf(file: SourceFile, options: Options): Promise<SourceReading | undefined> {
  const own = options.mailbox ?? new Set<string>();
  const chosen = await chooseProfile(file, { from: options.from, map: options.map, own });
  if (chosen.kind === 'contract') return undefined;
  const { profile, route } = chosen;
  if (options.lastMessage && !route.last_message) {
    throw new CliFailure(
      `--last-message: ${profile.title}'s ${route.name} does not contain the time and step of the last message to a contact.`,
    );
  }
  const { campaign, timeZone, observedUntil, lastMessage, steps } = options;
  return { file, profile, route, own, campaign, timeZone, observedUntil, lastMessage, steps };
}

function noteOf({ rows, accepted, rejected }: ImportTotals): string {
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}, ${accepted.toLocaleString('en')} accepted, ${rejected.toLocaleString('en')} rejected`;
}

function zoneOf(text: string): string {
  if (!isTimeZone(text))
    throw new InvalidArgumentError('Give an IANA time zone, such as Europe/Berlin or UTC.');
  return text;
}

function momentOf(text: string): string {
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!isMoment || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('Give a time with a zone, such as 2026-01-31T12:00:00Z.');
  }
  return text;
}

function stepsOf(text: string): Readonly<Record<string, number>> {
  const pairs = text.split(',').map((pair) => /^([^=,\s]+)=(\d{1,2})$/.exec(pair.trim()));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, id = '', step = ''] = pair ?? [];
      if (!pair || Number(step) > 50) {
        throw new InvalidArgumentError('Give ids and steps from 0 to 50, such as 198394=0,198395=1.');
      }
      return [id, Number(step)] as const;
    }),
  );
}

function addressesOf(text: string): ReadonlySet<string> {
  const addresses = text.split(',').map(addressOf);
  if (addresses.includes(undefined)) throw new InvalidArgumentError('Give comma-separated addresses.');
  return new Set(addresses as string[]);
}
