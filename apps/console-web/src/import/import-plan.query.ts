import { OUTCOME_EVENT_FIELDS } from '@outcomes/contracts';

/** Columns of this project's own format; metadata.<key> besides. */
export const OWN_COLUMNS: readonly string[] = [
  ...OUTCOME_EVENT_FIELDS,
  ...['metadata.campaign_id', 'metadata.variant_id'],
];

/** Without these no row is an event. */
export const NEEDED_COLUMNS = ['recipient_id', 'channel', 'sequence_step'] as const;

export const isOwnColumn = (column: string) => OWN_COLUMNS.includes(column) || column.startsWith('metadata.');

export function isOwnForm(columns: readonly string[]): boolean {
  return NEEDED_COLUMNS.every((column) => columns.includes(column)) && columns.every(isOwnColumn);
}

/** What is known of a tool's file beside its rows. */
export interface ToolContext {
  readonly timeZone?: string;
  readonly campaign?: string;
  readonly observedUntil?: string;
}

export type Plan =
  | { readonly form: 'columns'; readonly columns: Readonly<Record<string, string>> }
  | { readonly form: 'tool'; readonly tool: string; readonly route: string; readonly context: ToolContext };

export type Asked =
  | { readonly kind: 'look'; readonly file: File }
  | { readonly kind: 'send'; readonly file: File; readonly company: string; readonly plan: Plan };

/** Which of the things that were asked for something belongs to: answers to an earlier one may come late. */
export interface OfJob {
  readonly job: number;
}

export interface FoundForm {
  readonly tool: string;
  readonly title: string;
  readonly route: string;
  readonly grain: string;
  readonly isDraft: boolean;
  /** Which export to take in its place, where this one tells of no message. */
  readonly instead: string | null;
}

export type KnownForm =
  | { readonly form: 'own' }
  | { readonly form: 'tool'; readonly routes: readonly FoundForm[] }
  | { readonly form: 'unknown' };

export interface Looked {
  readonly columns: readonly string[];
  readonly sample: readonly Readonly<Record<string, string>>[];
  readonly known: KnownForm;
}

export interface Progress {
  readonly read: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly skipped: number;
  /** Opt-outs and bounces of rows that tell nothing else, or are rejected. */
  readonly takenAnyway: number;
}

export interface Reject {
  readonly row: number;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** What a file has come to. */
export interface Account {
  readonly progress: Progress;
  readonly rejects: readonly Reject[];
}

export type Said =
  | ({ readonly kind: 'looked' } & Looked)
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** A request was not answered, and is sent again. */
  | { readonly kind: 'waiting' }
  | ({ readonly kind: 'sent' } & Account)
  | ({ readonly kind: 'failed'; readonly message: string } & Partial<Account>);

const remembered = (columns: readonly string[]) => `outcomes mapping ${JSON.stringify([...columns].sort())}`;

/** What was mapped by hand is kept for files of the same columns: names of columns, and nothing of a row. */
export function rememberMapping(columns: readonly string[], mapping: Readonly<Record<string, string>>): void {
  localStorage.setItem(remembered(columns), JSON.stringify(mapping));
}

/** What was mapped before, or what the names of the columns suggest. */
export function mappingOf(columns: readonly string[]): Record<string, string> {
  const known = localStorage.getItem(remembered(columns));
  if (known !== null) return JSON.parse(known) as Record<string, string>;
  return Object.fromEntries(columns.filter(isOwnColumn).map((column) => [column, column]));
}
