import { NumberReader, readKeyed } from '@outcomes/persistence';
import { textFamilies, textSpread, TEXT_BINS, type FoldedFamily } from '@outcomes/statistics';
import { CAMPAIGNS_AT_A_TIME as PAGE } from './company-evidence';
import { EVIDENCE_DESIGN } from './evidence-design';
import type { Family, FoldMember } from './kept-fold';
import type { ReadCampaign } from './known-campaign';
import { WAYS } from './own-texts';
import { isSamePair } from './pair-strata';

/** Campaigns of which anything has matured, by the texts that they share. */
export function familiesOf(members: readonly FoldMember[]): number[][] {
  return textFamilies(members.filter(({ span }) => span.maturedOn !== null));
}

/** Whole families, so many campaigns at a time. */
export function* pagesOf(families: readonly Family[]): Iterable<readonly Family[]> {
  let [page, size]: [Family[], number] = [[], 0];
  for (const family of families) {
    if (size > 0 && size + family.length > PAGE) {
      yield page;
      [page, size] = [[], 0];
    }
    page.push(family);
    size += family.length;
  }
  if (page.length > 0) yield page;
}

/** One for all: the bins of a family are some 60 kB, and only their spread stays. */
const BINS = new Float64Array(WAYS * EVIDENCE_DESIGN.width * TEXT_BINS);

/** @param features - whose texts are looked at; default those of all */
export function* foldedFamilies(
  families: readonly Family[],
  read: readonly ReadCampaign[],
  features?: ReadonlySet<number>,
): Iterable<FoldedFamily> {
  const byKey = new Map(read.map((own) => [own.campaign, own]));
  for (const family of families) {
    const members = family.map((key) => byKey.get(key) as ReadCampaign);
    const alone = members.length === 1 ? members[0]?.spread : undefined;
    yield {
      campaigns: members.map(({ scores }) => scores),
      spread: alone ?? textSpread(EVIDENCE_DESIGN, [sumBins(members, BINS)], features),
      strata: (pair) =>
        members.flatMap(({ campaign, strata }) =>
          (strata.find((one) => isSamePair(one, pair))?.strata ?? []).map((own) => ({ campaign, ...own })),
        ),
    };
  }
}

/** Sets messages per level and text bin of each way, of all of them. */
function sumBins(campaigns: readonly ReadCampaign[], sums: Float64Array): Float64Array {
  sums.fill(0);
  for (const { bins } of campaigns) {
    const reader = new NumberReader(bins);
    readKeyed(reader, (place) => {
      sums[place] = (sums[place] as number) + reader.count();
    });
  }
  return sums;
}
