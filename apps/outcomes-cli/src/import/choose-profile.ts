import { readFile } from 'node:fs/promises';
import {
  detectByColumns,
  detectByRecord,
  PROFILES,
  profileOf,
  type Detection,
  type Route,
  type SourceProfile,
} from '@outcomes/source-profiles';
import { profileFault } from '@outcomes/source-profiles/validation';
import { CliFailure } from '../output/cli-failure';
import { columnsOf, readRecords, type SourceFile } from './open-source-file';

export interface ProfileChoice {
  /** A tool that the caller names. */
  readonly from?: string | undefined;
  /** A file with a profile of the caller's own. */
  readonly map?: string | undefined;
  readonly own: ReadonlySet<string>;
}

/** Whose file it is: rows of the contract's own columns, or records of a tool. */
export type ChosenProfile =
  | { readonly kind: 'contract' }
  | { readonly kind: 'source'; readonly profile: SourceProfile; readonly route: Route };

const CONTRACT_COLUMNS = ['channel', 'sequence_step', 'recipient_id'];

/**
 * Finds out whose file it is, by its columns or its first object.
 * @throws CliFailure where no route matches, or several do, or the file says nothing of single messages
 */
export async function chooseProfile(file: SourceFile, choice: ProfileChoice): Promise<ChosenProfile> {
  const profiles = await profilesOf(choice);
  const isAsked = choice.from !== undefined || choice.map !== undefined;
  const columns = file.form === 'csv' ? await columnsOf(file) : [];
  // A file of one of the contract's columns is meant for it, whatever else it lacks: ingest-api says what.
  if (!isAsked && CONTRACT_COLUMNS.some((column) => columns.includes(column))) return { kind: 'contract' };
  const detection =
    file.form === 'csv'
      ? detectByColumns(profiles, columns)
      : await detectByFirst(profiles, file, choice.own);
  if (!('found' in detection)) throw new CliFailure(`${file.path}: ${explain(detection, columns)}`);
  const { profile, route } = detection.found;
  if (route.grain === 'campaign') {
    throw new CliFailure(
      `${file.path} is ${profile.title}'s ${route.name}, which cannot be imported: ${route.instead}.`,
    );
  }
  return { kind: 'source', profile, route };
}

async function detectByFirst(
  profiles: readonly SourceProfile[],
  file: SourceFile,
  own: ReadonlySet<string>,
): Promise<Detection> {
  if (file.form === 'mailbox' && own.size === 0) {
    throw new CliFailure('a mailbox needs --mailbox with your own addresses, comma-separated.');
  }
  for await (const { record } of readRecords(file, own)) return detectByRecord(profiles, record);
  return { near: [] };
}

async function profilesOf({ from, map }: ProfileChoice): Promise<readonly SourceProfile[]> {
  if (map !== undefined) return [await ownProfile(map)];
  if (from === undefined) return PROFILES;
  const profile = profileOf(from);
  if (!profile) throw new CliFailure(`--from ${from} is not a known tool. ${toolsLine()}`);
  return [profile];
}

async function ownProfile(path: string): Promise<SourceProfile> {
  let profile: unknown;
  try {
    profile = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CliFailure(`${path} is not valid JSON; --map expects a profile.`, { cause: error });
  }
  const fault = profileFault(profile);
  if (!fault) return profile as SourceProfile;
  const allowed = fault.allowed ? ` Allowed: ${fault.allowed.join(', ')}.` : '';
  throw new CliFailure(
    `${path} is not a profile: ${fault.path || 'the document'} ${fault.message}.${allowed}`,
  );
}

function explain(detection: Exclude<Detection, { found: object }>, columns: readonly string[]): string {
  if ('several' in detection) {
    const candidates = detection.several.map(({ profile, route }) => `${profile.tool} (${route.name})`);
    return `it may come from ${candidates.join(' or ')}. Choose one with --from, or give your own profile with --map.`;
  }
  const near = detection.near
    .filter(({ missing, route }) => 'columns' in route.detect && missing.length < route.detect.columns.length)
    .map(
      ({ profile, route, missing }) =>
        `${profile.tool} (${route.name}) but for ${missing.map((name) => `"${name}"`).join(', ')}`,
    );
  const nearest = near.length > 0 ? ` The closest match is ${near.join('; ')}.` : '';
  const seen =
    columns.length > 0
      ? ` Its columns: ${columns.slice(0, 12).join(', ')}${columns.length > 12 ? ', …' : ''}.`
      : '';
  return `no known tool exports this format.${seen}${nearest} ${toolsLine()} Use --map with a profile of your own; files with the columns of an outcome event need none.`;
}

function toolsLine(): string {
  return `--from accepts ${PROFILES.map(({ tool }) => tool).join(', ')}.`;
}
