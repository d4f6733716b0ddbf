import { exp } from '../numerics/exp';
import { log } from '../numerics/log';
import { requireDomain } from '../numerics/stats-domain-error';
import { claimTiers, type ClaimTier } from './claim-tiers';
import { tableVariance } from './contrast-score';
import { estimateEffect, tierBorneOut } from './effect-estimate';
import { noSums, setUnitSums, type EvidenceSums } from './evidence-sums';
import { logEValue } from './log-e-value';

/** Matured messages of one variant in one cell of its campaign. */
export interface VariantCounts {
  readonly campaign: number;
  readonly variant: string;
  readonly fortnight: number;
  readonly step: number;
  readonly position: number;
  readonly channel: number;
  readonly n: number;
  readonly y: number;
}

/** A variant against the other variants of its campaign: a claim about these texts and no others. */
export interface VariantAssessment {
  readonly campaign: number;
  readonly variant: string;
  readonly n: number;
  readonly y: number;
  readonly rate: number;
  readonly logOr: number;
  readonly low: number;
  readonly high: number;
  readonly probabilityPositive: number;
  readonly eValue: number;
  readonly tier: ClaimTier | null;
}

interface Tables {
  readonly campaign: number;
  readonly variant: string;
  z: number;
  v: number;
  mhWith: number;
  mhWithout: number;
  n: number;
  y: number;
}

const LOG_20 = log(20);
const LARGEST_LOG_E = 690;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function checkCounts({ n, y, campaign }: VariantCounts): void {
  requireDomain(
    Number.isSafeInteger(n) && Number.isSafeInteger(y) && y >= 0 && y <= n,
    'count',
    'a variant needs 0 <= replies <= messages',
  );
  requireDomain(Number.isSafeInteger(campaign), 'range', 'campaigns are whole numbers');
}

/** Counts by cell and variant, in an order that does not depend on theirs; counts of one key are added. */
function cellsOf(counts: readonly VariantCounts[]): VariantCounts[][] {
  const cells = new Map<string, Map<string, VariantCounts>>();
  for (const own of counts) {
    checkCounts(own);
    const key = `${own.campaign} ${own.fortnight} ${own.step} ${own.position} ${own.channel}`;
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = new Map<string, VariantCounts>()));
    const sum = cell.get(own.variant);
    cell.set(own.variant, sum ? { ...sum, n: sum.n + own.n, y: sum.y + own.y } : own);
  }
  return [...cells.values()]
    .map((cell) => [...cell.values()].sort((a, b) => compare(a.variant, b.variant)))
    .sort(([a], [b]) => (a && b ? orderOfCells(a, b) : 0));
}

function orderOfCells(a: VariantCounts, b: VariantCounts): number {
  return (
    a.campaign - b.campaign ||
    a.fortnight - b.fortnight ||
    a.step - b.step ||
    a.position - b.position ||
    a.channel - b.channel
  );
}

function addCell(tables: Map<string, Tables>, cell: readonly VariantCounts[]): void {
  const total = cell.reduce((sum, { n }) => sum + n, 0);
  const replies = cell.reduce((sum, { y }) => sum + y, 0);
  for (const { campaign, variant, n, y } of cell) {
    const key = `${campaign} ${variant}`;
    let own = tables.get(key);
    if (!own) tables.set(key, (own = { campaign, variant, z: 0, v: 0, mhWith: 0, mhWithout: 0, n: 0, y: 0 }));
    own.n += n;
    own.y += y;
    const variance = tableVariance(n, y, total - n, replies - y);
    if (variance === 0) continue;
    own.v += variance;
    own.z += y - (n * replies) / total;
    own.mhWith += (y * (total - n - replies + y)) / total;
    own.mhWithout += ((replies - y) * (n - y)) / total;
  }
}

/**
 * Every variant against the other variants of its campaign, over all campaigns of a company.
 *
 * Shapes: any number of counts in, one assessment per campaign and variant out.
 * @param counts - whole numbers, 0 <= y <= n; counts of one cell and variant are added
 * @returns by campaign, then variant; e-BH runs over all that compare anything
 * @throws StatsDomainError with code `count` or `range`
 *
 * The claim is about the texts that were sent, so they are no sample of others, and messages are what repeats: s = 0.
 * Reference: statistics design, section 2.4. Oracle: fixtures/evidence.json and verify:statistics.
 *
 * @example
 * assessVariants([{ campaign: 1, variant: 'a', fortnight: 0, step: 1, position: 0, channel: 0, n: 40, y: 2 }])[0].tier; // null
 */
export function assessVariants(counts: readonly VariantCounts[]): VariantAssessment[] {
  const tables = new Map<string, Tables>();
  for (const cell of cellsOf(counts)) addCell(tables, cell);
  const all = [...tables.values()].sort((a, b) => a.campaign - b.campaign || compare(a.variant, b.variant));
  const evidence = all.map(({ z, v }): EvidenceSums => {
    const sums = noSums();
    if (v > 0) setUnitSums(sums, z, v, 0);
    return sums;
  });
  const logE = evidence.map((sums) => logEValue(sums));
  const tiers = claimTiers(all.map(({ v }, i) => (v > 0 ? (logE[i] as number) : null)));
  return all.map(({ campaign, variant, n, y, mhWith, mhWithout }, i) => {
    const estimate = estimateEffect(evidence[i] as EvidenceSums, { mhWith, mhWithout }, LOG_20);
    return {
      campaign,
      variant,
      n,
      y,
      rate: n > 0 ? y / n : 0,
      ...estimate,
      eValue: exp(Math.min(LARGEST_LOG_E, logE[i] as number)),
      tier: tierBorneOut(tiers[i] ?? null, estimate),
    };
  });
}
