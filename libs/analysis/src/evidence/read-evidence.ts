import { evidenceOf, type CampaignRows } from './campaign-evidence';
import { EvidenceHistory, type ReadCampaign } from './evidence-history';
import type { EvidenceSource, KeptEvidence, KeptMark, RegisteredCampaign } from './evidence-source';
import { covers } from './matured-fortnights';
import { EVIDENCE_MAKE, packEvidence, unpackEvidence } from './packed-evidence';
import { unpackStrata } from './pair-strata';

/** Campaigns that are read by one statement, from what is kept and from their counts. */
const KEPT_PAGE = 500;
const COUNTS_PAGE = 200;
/** A run keeps no more than this in memory for the next; the runs after it keep the rest. */
const MOST_KEPT_BYTES = 64 * 2 ** 20;

type Usable = RegisteredCampaign & { readonly kept: KeptMark };

/**
 * What every campaign amounts to: taken from what is kept as long as neither its counts nor its matured fortnights have
 * changed, and from its counts else. Either way the same numbers, bit for bit.
 * @param mostKeptBytes - of what is read anew, for the next run
 */
export async function readEvidence(
  source: EvidenceSource,
  observedUntil: number,
  mostKeptBytes = MOST_KEPT_BYTES,
): Promise<EvidenceHistory> {
  const registry = await source.registry();
  const [usable, others] = [
    registry.filter((own): own is Usable => isUsable(own, observedUntil)),
    registry.filter((own) => !isUsable(own, observedUntil)),
  ];
  const read: ReadCampaign[] = [];
  for (const page of pagesOf(usable, KEPT_PAGE)) {
    const kept = byCampaign(await source.kept(page.map(({ campaign }) => campaign)));
    for (const own of page) {
      const found = kept.get(own.campaign);
      if (found) read.push(unpacked(own, found));
      else others.push(own);
    }
  }
  let room = mostKeptBytes;
  for (const page of pagesOf(others, COUNTS_PAGE)) {
    const rows = byCampaign(await source.rows(page.map(({ campaign }) => campaign)));
    for (const own of page) {
      const campaign = readAnew(own, rows.get(own.campaign), observedUntil, room > 0);
      room -= campaign.packed?.length ?? 0;
      read.push(campaign);
    }
  }
  read.sort((a, b) => a.scores.first - b.scores.first || a.campaign - b.campaign);
  const [matured, waiting] = [true, false].map((wanted) =>
    read.filter(({ scores }) => scores.length > 0 === wanted),
  ) as [ReadCampaign[], ReadCampaign[]];
  return new EvidenceHistory(source, matured, waiting);
}

function isUsable({ revision, kept }: RegisteredCampaign, observedUntil: number): boolean {
  return (
    kept !== null && kept.revision === revision && kept.make === EVIDENCE_MAKE && covers(kept, observedUntil)
  );
}

function unpacked(own: Usable, kept: KeptEvidence): ReadCampaign {
  return {
    ...own,
    ...unpackEvidence(own.campaign, kept.evidence),
    span: { maturedOn: own.kept.maturedOn, maturesNext: own.kept.maturesNext },
    packed: null,
    strata: kept.strata === null ? [] : unpackStrata(kept.strata),
    strataChanged: false,
  };
}

function readAnew(
  own: RegisteredCampaign,
  rows: CampaignRows = { campaign: own.campaign, cells: [], texts: [] },
  observedUntil: number,
  isKept: boolean,
): ReadCampaign {
  const { evidence, span } = evidenceOf(rows, observedUntil);
  const packed = isKept ? Buffer.from(packEvidence(evidence)) : null;
  return { ...own, ...evidence, span, packed, strata: [], strataChanged: false };
}

function* pagesOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

function byCampaign<Row extends { readonly campaign: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.campaign, row]));
}
