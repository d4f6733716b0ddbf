import { NumberReader, NumberWriter } from '@outcomes/persistence';
import { EvidenceFold, NO_QUESTIONS, type FoldQuestions } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from './evidence-design';
import type { MaturedSpan } from './matured-fortnights';
import type { OwnTexts, WaysOfTexts } from './own-texts';
import { readTexts, writeTexts } from './packed-evidence';
import { readSparseDoubles, writeSparseDoubles } from './sparse-doubles';

/** A campaign that is in a fold, as it was then. */
export interface FoldMember {
  readonly campaign: number;
  readonly revision: string;
  readonly span: MaturedSpan;
  /** First matured fortnight; of no meaning where nothing has matured. */
  readonly first: number;
  readonly texts: WaysOfTexts<OwnTexts>;
}

/** Campaigns that are one unit, by their keys. */
export type Family = readonly number[];

/** What all campaigns of a company together amount to, and which these are. */
export interface KeptFold {
  readonly members: readonly FoldMember[];
  /** Those of the members of which anything has matured. */
  readonly families: readonly Family[];
  readonly fold: EvidenceFold;
}

/** @param questions - that it will probably be asked */
export const emptyFold = (questions = NO_QUESTIONS): KeptFold => ({
  members: [],
  families: [],
  fold: new EvidenceFold(EVIDENCE_DESIGN, questions),
});

/** The same fold gives the same bytes. */
export function packFold({ members, families, fold }: KeptFold): Buffer {
  const writer = new NumberWriter(2 ** 20);
  writer.count(members.length);
  for (const { campaign, revision, span, first, texts } of members) {
    writer.count(campaign);
    writer.bytes(Buffer.from(revision.replaceAll('-', ''), 'hex'));
    for (const day of [span.maturedOn, span.maturesNext]) {
      writer.count(day === null ? 0 : 1);
      if (day !== null) writer.signed(day);
    }
    writer.signed(first);
    writeTexts(writer, texts);
  }
  writer.count(families.length);
  for (const family of families) writer.counts(family);
  writer.bytes(Buffer.from(JSON.stringify(fold.questions)));
  const sheets = [...fold.sheets]
    .filter(([, sheet]) => sheet.some((value) => value !== 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writer.count(sheets.length);
  for (const [name, sheet] of sheets) {
    writer.bytes(Buffer.from(name));
    writer.count(sheet.length);
    writeSparseDoubles(writer, sheet);
  }
  return Buffer.from(writer.finish());
}

export function unpackFold(bytes: Buffer): KeptFold {
  const reader = new NumberReader(bytes);
  const day = () => (reader.count() === 0 ? null : reader.signed());
  const members = Array.from({ length: reader.count() }, () => ({
    campaign: reader.count(),
    revision: uuidOf(reader.bytes().toString('hex')),
    span: { maturedOn: day(), maturesNext: day() },
    first: reader.signed(),
    texts: readTexts(reader),
  }));
  const families = Array.from({ length: reader.count() }, () => readNumbers(reader));
  const questions = JSON.parse(reader.bytes().toString()) as FoldQuestions;
  const sheets = new Map<string, Float64Array>();
  for (let left = reader.count(); left > 0; left -= 1) {
    const name = reader.bytes().toString();
    sheets.set(name, readSparseDoubles(reader, reader.count()));
  }
  return { members, families, fold: new EvidenceFold(EVIDENCE_DESIGN, questions, sheets) };
}

function readNumbers(reader: NumberReader): number[] {
  const numbers: number[] = [];
  for (let left = reader.count(); left > 0; left -= 1) numbers.push(reader.count());
  return numbers;
}

/** Not by joining parts: thousands are read a day. */
function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
