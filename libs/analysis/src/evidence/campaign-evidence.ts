import {
  CampaignTextCounts,
  NumberWriter,
  readSparseCells,
  writeFilled,
  type SparseCell,
} from '@outcomes/persistence';
import {
  scoreCampaign,
  TEXT_BINS,
  textSpread,
  type CampaignScores,
  type EvidenceCell,
  type TextSpread,
  type VariantCounts,
} from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from './evidence-design';
import { maturesOn, maturingDays, spanOf, type MaturedSpan } from './matured-fortnights';
import { OwnTextSearch, WAYS, type OwnTexts, type WaysOfTexts } from './own-texts';
import { packVariants } from './variant-cells';

/** A campaign's packed counts, as stored. */
export interface CampaignRows {
  readonly campaign: number;
  /** Of the fortnights of which anything has matured. */
  readonly cells: readonly { readonly fortnight: number; readonly counts: Buffer }[];
  /** Fortnights that are still to mature. */
  readonly later: readonly number[];
  /** By body and by subject; of neither any where nothing has matured. */
  readonly texts: WaysOfTexts<readonly Buffer[]>;
}

export const NO_TEXT_ROWS: CampaignRows['texts'] = [[], []];

/** What a campaign amounts to: all that the evidence needs of it, and no more than follows from its counts. */
export interface CampaignEvidence {
  /** Its key; never 0 but for messages that name no campaign. */
  readonly campaign: number;
  readonly scores: CampaignScores;
  /** The bodies, and the subjects, that it shares a family by. */
  readonly texts: WaysOfTexts<OwnTexts>;
  /** Packed messages per level and text bin, by body and then by subject. */
  readonly bins: Buffer;
  /** Packed messages and replies per variant and cell; null where it has no variants. */
  readonly variants: Buffer | null;
  /** How its texts are spread where no other campaign shares them, if that was asked for. */
  readonly spread?: TextSpread | undefined;
}

/**
 * What a campaign amounts to on a day, and how long that stays.
 * @param withSpread - whether the spread of its own texts is wanted, which takes reading the packed bins otherwise
 */
export function evidenceOf(
  rows: CampaignRows,
  observedUntil: number,
  withSpread = false,
): { readonly evidence: CampaignEvidence; readonly span: MaturedSpan } {
  const cells: EvidenceCell[] = [];
  const variants: VariantCounts[] = [];
  const days = new Set<number>();
  const { campaign } = rows;
  for (const { fortnight, counts } of rows.cells) {
    const read = readSparseCells(counts);
    for (const cell of read.cells) {
      const day = maturesOn(fortnight, cell.channel);
      days.add(day);
      if (day <= observedUntil) cells.push(evidenceCell(fortnight, cell));
    }
    for (const { variantId, touches, replies, ...key } of read.variants) {
      if (maturesOn(fortnight, key.channel) > observedUntil) continue;
      variants.push({ campaign, variant: variantId, fortnight, ...key, n: touches, y: replies });
    }
  }
  for (const fortnight of rows.later) for (const day of maturingDays(fortnight)) days.add(day);
  const scores = scoreCampaign(EVIDENCE_DESIGN, { campaign, cells });
  // Of a campaign of which nothing has matured nothing is needed.
  const ofTexts = textsOf(scores.length > 0 ? rows.texts : NO_TEXT_ROWS, withSpread && scores.length > 0);
  return {
    evidence: { campaign, scores, ...ofTexts, variants: variants.length > 0 ? packVariants(variants) : null },
    span: spanOf(days, observedUntil),
  };
}

function evidenceCell(
  fortnight: number,
  { channel, step, position, touches, replies, levels, levelTouches, levelReplies }: SparseCell,
): EvidenceCell {
  const counts = { levels, levelN: levelTouches, levelY: levelReplies };
  return { fortnight, step, position, channel, n: touches, y: replies, ...counts };
}

const WRITER = new NumberWriter(16_384);
const BINS_OF_WAY = EVIDENCE_DESIGN.width * TEXT_BINS;
/** Made once: some 60 kB that thousands of campaigns use in turn. */
const BINS = new Float64Array(WAYS * BINS_OF_WAY);

/** One row at a time: a campaign may have a text of its own for each of a million messages. */
function textsOf(
  [bodies, subjects]: CampaignRows['texts'],
  withSpread: boolean,
): Pick<CampaignEvidence, 'texts' | 'bins' | 'spread'> {
  const bins = BINS.fill(0);
  const ownOf = (rows: readonly Buffer[], from: number) => {
    const own = new OwnTextSearch();
    for (const bytes of rows) {
      CampaignTextCounts.read(
        bytes,
        (textId, touches) => own.add(textId, touches),
        (bin, level, touches) => {
          const place = from + level * TEXT_BINS + bin;
          bins[place] = (bins[place] as number) + touches;
        },
      );
    }
    return own.finish();
  };
  const texts: CampaignEvidence['texts'] = [ownOf(bodies, 0), ownOf(subjects, BINS_OF_WAY)];
  const writer = WRITER.restart();
  writeFilled(writer, bins);
  const spread = withSpread ? textSpread(EVIDENCE_DESIGN, [bins]) : undefined;
  return { texts, bins: Buffer.from(writer.finish()), spread };
}
