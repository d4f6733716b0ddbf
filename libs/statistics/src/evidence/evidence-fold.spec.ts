import { type EvidenceWorld, generateEvidence } from '../testing';
import {
  assessEvidence,
  type CompanionPair,
  type CompanionStratum,
  EvidenceFold,
  type EvidenceCounts,
  familiesOf,
  type FoldedFamily,
  judgeFold,
  NO_QUESTIONS,
  seededRng,
} from '..';

const world: EvidenceWorld = {
  campaignSd: 0.4,
  days: 168,
  sendsPerDay: 120,
  campaigns: 12,
  running: 4,
  secondChannel: 0.3,
};
const ended: EvidenceWorld = {
  ...world,
  effects: { 'tone.4': 1.1, 'figures.0': 0.8, 'weekday.2': 1.1 },
  until: 84,
};
const kept: EvidenceWorld = { ...world, companion: 0.6, sendsPerDay: 200, effects: { 'tone.4': 0.9 } };

type Company = ReturnType<typeof generateEvidence>;

/** The families of some campaigns, with the strata of their pairs. */
function foldedFamilies(company: Company, campaigns: readonly EvidenceCounts[]): FoldedFamily[] {
  const strata = new Map<string, readonly CompanionStratum[]>();
  const all = (pair: CompanionPair): readonly CompanionStratum[] => {
    const name = `${pair.code} ${pair.within}`;
    if (!strata.has(name)) strata.set(name, company.companionStrata(pair));
    return strata.get(name) ?? [];
  };
  return familiesOf(company.design, campaigns).map((family) => {
    const numbers = new Set(family.campaigns.map(({ campaign }) => campaign));
    return { ...family, strata: (pair) => all(pair).filter(({ campaign }) => numbers.has(campaign)) };
  });
}

/** Judges a fold, asking every family what it has not been asked. */
function judged(fold: EvidenceFold, families: readonly FoldedFamily[]) {
  let [own, rounds] = [fold, 0];
  for (; ; rounds++) {
    const { missing, assessments } = judgeFold(own);
    if (missing === null) return { assessments, rounds, fold: own };
    for (const family of families) own.answer(family, missing);
    own = own.asked(missing);
  }
}

/** With every campaign before it, as the oracle. */
function byTheBook(company: Company, campaigns: readonly EvidenceCounts[]) {
  const { pairs } = assessEvidence(company.design, campaigns);
  const known = new Set(campaigns.map(({ campaign }) => campaign));
  const companions = pairs.map((pair) => ({
    ...pair,
    strata: company.companionStrata(pair).filter(({ campaign }) => known.has(campaign)),
  }));
  return assessEvidence(company.design, campaigns, { companions }).assessments;
}

const bytes = (value: unknown): string => JSON.stringify(value);

function sheetsOf(fold: EvidenceFold): string {
  const filled = [...fold.sheets].filter(([, sheet]) => sheet.some((value) => value !== 0));
  return bytes(filled.map(([name, sheet]) => [name, [...sheet].map((value) => value + 0)]).sort());
}

describe.each<[string, EvidenceWorld, 'change' | 'goesWith' | null]>([
  ['effects that end', ended, 'change'],
  ['features that keep company', kept, 'goesWith'],
  ['few texts that all campaigns share', { ...kept, copy: 'mixed', library: 2 }, null],
  ['texts of each campaign', { ...world, copy: 'campaign' }, null],
  ['no effect, for four years', { ...world, days: 1_456, sendsPerDay: 12, running: 2 }, null],
])('a fold of families: %s', (_, options, found) => {
  let company: Company;
  let counts: EvidenceCounts[];
  let families: FoldedFamily[];
  beforeAll(() => {
    company = generateEvidence(options, 11);
    counts = company.counts();
    families = foldedFamilies(company, counts);
  });

  it('is judged as the families themselves, bit for bit', () => {
    const fold = new EvidenceFold(company.design);
    for (const family of families) fold.add(family);
    const { assessments, rounds } = judged(fold, families);
    expect(bytes(assessments)).toBe(bytes(byTheBook(company, counts)));
    if (found === null) return;
    expect(rounds).toBeGreaterThan(0);
    expect(assessments.some((own) => own[found] !== null)).toBe(true);
  });

  it('forgets a family that is taken away, whatever it had been asked', () => {
    const whole = new EvidenceFold(company.design);
    for (const family of families) whole.add(family);
    const { fold } = judged(whole, families);
    const rng = seededRng(5);
    // Those that began first go, so that what is left begins later.
    const left = counts.filter((_own, i) => i > counts.length / 4 && rng.next() < 0.7);
    for (const family of families) fold.add(family, -1);
    expect(sheetsOf(fold)).toBe('[]');
    expect(bytes(judged(fold, []).assessments)).toBe(bytes(byTheBook(company, [])));
    const remaining = foldedFamilies(company, left);
    for (const family of remaining.toReversed()) fold.add(family);
    const fresh = new EvidenceFold(company.design, fold.questions);
    for (const family of remaining) fresh.add(family);
    expect(sheetsOf(fold)).toBe(sheetsOf(fresh));
    expect(bytes(judged(fold, remaining).assessments)).toBe(bytes(byTheBook(company, left)));
  });
});

it('a fold of nothing has nothing to say, and needs nothing', () => {
  const { design } = generateEvidence(world, 11);
  const { missing, assessments } = judgeFold(new EvidenceFold(design, NO_QUESTIONS));
  expect(missing).toBeNull();
  expect(new Set(assessments.map(({ reason }) => reason))).toEqual(new Set(['no_data']));
});
