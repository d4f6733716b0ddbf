import { type EvidenceWorld, generateEvidence } from '../testing';
import {
  assessEvidence,
  type CompanionPair,
  type CompanionStratum,
  evidenceDesign,
  EvidenceFold,
  type EvidenceCounts,
  familiesOf,
  type FoldedFamily,
  judgeFold,
  NO_QUESTIONS,
  seededRng,
  TEXT_BINS,
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

type Company = Pick<ReturnType<typeof generateEvidence>, 'design' | 'companionStrata'> & {
  counts(): EvidenceCounts[];
};

interface SmallWorld {
  readonly seed: number;
  /** fortnights in which tone 0 and weekday 0 work */
  readonly works: readonly [from: number, until: number];
  /** how often a question goes with tone 0, and weekday 0 with it */
  readonly together: readonly [question: number, weekday: number];
  /** texts that all campaigns share; 0: each has its own */
  readonly shared: number;
}

interface Message {
  readonly campaign: number;
  readonly fortnight: number;
  /** of tone, question, weekday and step */
  readonly levels: readonly [number, number, number, number];
  readonly text: number;
  readonly reply: number;
}

/** A company of four dimensions and nine levels: all that a fold is asked, in a hundredth of the time. */
function smallCompany({ seed, works, together, shared }: SmallWorld): Company {
  const kinds = ['text', 'text', 'weekday', 'step'] as const;
  const names = ['tone', 'question', 'weekday', 'step'];
  const first = [0, 3, 5, 7];
  const codes = names.map((name, d) => ({ code: `${name}0`, dimension: name, level: first[d] as number }));
  const design = evidenceDesign(
    names.map((name, d) => ({
      name,
      kind: kinds[d] as (typeof kinds)[number],
      levels: Array.from({ length: d === 0 ? 3 : 2 }, (_, i) => (first[d] as number) + i),
    })),
    codes,
  );
  const rng = seededRng(seed);
  const messages = Array.from({ length: 5_200 }, (_, i): Message => {
    const campaign = i % 13;
    // Campaigns of four to nine fortnights that begin one after the other, from before the epoch on.
    const fortnight = campaign - 3 + Math.floor(rng.next() * (4 + (campaign % 6)));
    const tone = Math.floor(rng.next() * 3);
    const follows = (chance: number): number =>
      rng.next() < chance ? Number(tone !== 0) : Math.floor(rng.next() * 2);
    const [question, weekday] = [follows(together[0]), follows(together[1])];
    const isWorking = fortnight >= works[0] && fortnight < works[1];
    const odds = 0.12 * (isWorking && tone === 0 ? 9 : 1) * (isWorking && weekday === 0 ? 5 : 1);
    const own = Math.floor(rng.next() * 30);
    return {
      ...{ campaign, fortnight, levels: [tone, 3 + question, 5 + weekday, 7 + (i % 2)] },
      text: shared > 0 ? own % shared : campaign * 30 + own,
      reply: Number(rng.next() < odds / (1 + odds)),
    };
  });
  const grouped = <T>(
    of: readonly Message[],
    key: (message: Message) => string,
    make: (own: Message[]) => T,
  ): T[] => [...Map.groupBy(of, key).values()].map(make);
  const replies = (of: readonly Message[]): number => of.reduce((sum, { reply }) => sum + reply, 0);
  return {
    design,
    counts: () =>
      grouped(
        messages,
        ({ campaign }) => `${campaign}`,
        (own) => {
          const bins = new Float64Array(design.width * TEXT_BINS);
          for (const { levels, text } of own)
            for (const level of levels) {
              const at = level * TEXT_BINS + (text % TEXT_BINS);
              bins[at] = (bins[at] as number) + 1;
            }
          const texts = [...Map.groupBy(own, ({ text }) => text)];
          return {
            campaign: (own[0] as Message).campaign,
            cells: grouped(
              own,
              ({ fortnight, levels }) => `${fortnight} ${levels[3]}`,
              (cell) => {
                const counted = [
                  ...Map.groupBy(
                    cell.flatMap((one) => one.levels.map((level) => ({ level, one }))),
                    ({ level }) => level,
                  ),
                ];
                return {
                  ...{ fortnight: (cell[0] as Message).fortnight, step: (cell[0] as Message).levels[3] - 7 },
                  ...{ position: 0, channel: 0, n: cell.length, y: replies(cell) },
                  levels: counted.map(([level]) => level),
                  levelN: counted.map(([, of]) => of.length),
                  levelY: counted.map(([, of]) => replies(of.map(({ one }) => one))),
                };
              },
            ),
            bins,
            texts: { ids: texts.map(([id]) => id), n: texts.map(([, of]) => of.length) },
          };
        },
      ),
    companionStrata: ({ code, within }) => {
      const [own, stronger] = [code.slice(0, -1), within].map((name) => names.indexOf(name)) as [
        number,
        number,
      ];
      return grouped(
        messages,
        ({ campaign, fortnight, levels }) => `${campaign} ${fortnight} ${levels[3]} ${levels[stronger]}`,
        (stratum) => {
          const [a, b] = [true, false].map((isWith) =>
            stratum.filter(({ levels }) => (levels[own] === first[own]) === isWith),
          ) as [Message[], Message[]];
          const { campaign, fortnight } = stratum[0] as Message;
          return { campaign, fortnight, na: a.length, ya: replies(a), nb: b.length, yb: replies(b) };
        },
      );
    },
  };
}

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

describe.each<[string, () => Company, 'change' | 'goesWith' | null]>([
  ...(
    [
      ['effects of a few fortnights', { works: [-3, 5], together: [0, 0], shared: 0 }, 'change'],
      [
        'a question and a weekday that follow the tone',
        { works: [-3, 99], together: [0.7, 0.9], shared: 0 },
        'goesWith',
      ],
      [
        'effects that end, of those that keep company',
        { works: [-3, 6], together: [0.8, 0.8], shared: 0 },
        'change',
      ],
      ['texts that a small company shares', { works: [2, 99], together: [0.5, 0], shared: 40 }, null],
    ] as const
  ).map(([name, world_, found]): [string, () => Company, typeof found] => [
    name,
    () => smallCompany({ seed: 5, ...world_ }),
    found,
  ]),
  ['effects that end', () => generateEvidence(ended, 11), 'change'],
  ['features that keep company', () => generateEvidence(kept, 11), 'goesWith'],
  [
    'few texts that all campaigns share',
    () => generateEvidence({ ...kept, copy: 'mixed', library: 2 }, 11),
    null,
  ],
  ['texts of each campaign', () => generateEvidence({ ...world, copy: 'campaign' }, 11), null],
  [
    'no effect, for four years',
    () => generateEvidence({ ...world, days: 1_456, sendsPerDay: 12, running: 2 }, 11),
    null,
  ],
])('a fold of families: %s', (_, make, found) => {
  let company: Company;
  let counts: EvidenceCounts[];
  let families: FoldedFamily[];
  beforeAll(() => {
    company = make();
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

it('a fold forgets the pairs that nobody asks for, and can be asked again', () => {
  const company = smallCompany({ seed: 5, works: [-3, 99], together: [0.7, 0.9], shared: 0 });
  const families = foldedFamilies(company, company.counts());
  const whole = new EvidenceFold(company.design);
  for (const family of families) whole.add(family);
  const { fold, assessments } = judged(whole, families);
  const { pairs } = fold.questions;
  const inside = (): string[] => [...fold.sheets.keys()].filter((name) => name.startsWith('inside'));
  const [pair] = pairs as [(typeof pairs)[number]];
  expect(inside().some((name) => name.includes(` ${pair.code} ${pair.within} `))).toBe(true);
  const others = inside().filter((name) => !name.includes(`${pair.code} ${pair.within} `));
  fold.forgetPairs(({ code, within }) => code === pair.code && within === pair.within);
  expect(inside()).toEqual(others);
  expect(fold.questions.pairs).toEqual(
    pairs.filter((own) => own.code !== pair.code || own.within !== pair.within),
  );
  expect(judgeFold(fold).missing?.pairs).toContainEqual(pair);
  expect(judged(fold, families).assessments).toEqual(assessments);
  const feature = company.design.featureOf[company.design.codes.findIndex(({ code }) => code === pair.code)];
  expect(fold.featuresAsked({ ...NO_QUESTIONS, pairs: [pair] })).toEqual(new Set([feature]));
  expect(fold.featuresAsked({ watched: [4], changes: [{ feature: 2, since: 1 }], pairs: [] })).toEqual(
    new Set([4, 2]),
  );
});

it('a fold of nothing has nothing to say, and needs nothing', () => {
  const { design } = generateEvidence(world, 11);
  const { missing, assessments } = judgeFold(new EvidenceFold(design, NO_QUESTIONS));
  expect(missing).toBeNull();
  expect(new Set(assessments.map(({ reason }) => reason))).toEqual(new Set(['no_data']));
});
