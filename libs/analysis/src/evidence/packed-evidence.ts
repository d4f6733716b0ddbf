import { createHash } from 'node:crypto';
import { CHANNELS, LEVELS, MATURITY_DAYS } from '@outcomes/contracts';
import { NumberReader, NumberWriter } from '@outcomes/persistence';
import { ENGINE_VERSION, type CampaignScores } from '@outcomes/statistics';
import type { CampaignEvidence } from './campaign-evidence';
import { EVIDENCE_DESIGN } from './evidence-design';
import { NO_OWN_TEXTS, NO_TEXTS, type OwnTexts, type WaysOfTexts } from './own-texts';
import { readSparseDoubles, writeSparseDoubles } from './sparse-doubles';

/** Changes with the form of what is kept of a campaign, and with the rules by which campaigns are judged. */
const FORM = 5;

/** What is kept of campaigns today is made with; what is of another make is made anew. */
export const EVIDENCE_MAKE = createHash('sha256')
  .update(JSON.stringify([FORM, ENGINE_VERSION, LEVELS, CHANNELS, MATURITY_DAYS, EVIDENCE_DESIGN]))
  .digest('hex')
  .slice(0, 32);

const { contrasts, features } = EVIDENCE_DESIGN;
const CONTRASTS = contrasts.length;
/** Two sums of Mantel and Haenszel and the messages compared, per feature. */
const FEATURE_NUMBERS = 3 * features.length;

/** What is kept of a campaign in its own row; its variants stand beside it. */
export type PackedPart = Omit<CampaignEvidence, 'variants'>;

const WRITER = new NumberWriter(65_536);

/** The same evidence gives the same bytes; its key is not among them. */
export function packEvidence({ scores, texts, bins }: PackedPart): Buffer {
  const writer = WRITER.restart();
  writer.signed(scores.first);
  writer.count(scores.length);
  for (const numbers of [scores.z, scores.v, scores.featureSums]) writeSparseDoubles(writer, numbers);
  writer.counts(scores.levelN);
  writer.counts(scores.levelY);
  writeTexts(writer, texts);
  writer.bytes(bins);
  return Buffer.from(writer.finish());
}

export function unpackEvidence(campaign: number, bytes: Buffer): PackedPart {
  const reader = new NumberReader(bytes);
  const first = reader.signed();
  const length = reader.count();
  const scores: CampaignScores = {
    ...{ campaign, first, length },
    z: readSparseDoubles(reader, length * CONTRASTS),
    v: readSparseDoubles(reader, length * CONTRASTS),
    featureSums: readSparseDoubles(reader, length * FEATURE_NUMBERS),
    levelN: reader.counts(),
    levelY: reader.counts(),
  };
  return { campaign, scores, texts: readTexts(reader), bins: reader.bytes() };
}

export function writeTexts(writer: NumberWriter, ways: WaysOfTexts<OwnTexts>): void {
  for (const { ids, n } of ways) {
    writer.count(ids.length);
    for (const [at, id] of ids.entries()) {
      writer.count(id);
      writer.count(n[at] as number);
    }
  }
}

export function readTexts(reader: NumberReader): WaysOfTexts<OwnTexts> {
  const [bodies, subjects] = [readWay(reader), readWay(reader)];
  // Most campaigns have none.
  return bodies === NO_OWN_TEXTS && subjects === NO_OWN_TEXTS ? NO_TEXTS : [bodies, subjects];
}

function readWay(reader: NumberReader): OwnTexts {
  const length = reader.count();
  if (length === 0) return NO_OWN_TEXTS;
  const [ids, n]: [number[], number[]] = [[], []];
  for (let left = length; left > 0; left -= 1) {
    ids.push(reader.count());
    n.push(reader.count());
  }
  return { ids, n };
}
