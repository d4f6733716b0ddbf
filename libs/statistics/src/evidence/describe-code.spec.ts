import {
  assessEvidence,
  confirmedAtLogE,
  type EvidenceAssessment,
  type EvidenceCounts,
  evidenceDesign,
  type EvidenceDesign,
  logEValue,
  sendsOfTrial,
  sendsToConfirm,
  TEXT_BINS,
} from '.';
import { addSums, noSums, setUnitSums } from './evidence-sums';

/** Messages and replies of one campaign and fortnight, per level. */
type Levels = readonly (readonly [level: number, n: number, y: number])[];

const designOf = (): EvidenceDesign =>
  evidenceDesign(
    [
      { name: 'tone', kind: 'text', levels: [0, 1] },
      { name: 'weekday', kind: 'weekday', levels: [2, 3] },
      { name: 'daypart', kind: 'daypart', levels: [4, 5] },
      { name: 'step', kind: 'step', levels: [6, 7] },
    ],
    [
      { code: 'T', dimension: 'tone', level: 0 },
      { code: 'W', dimension: 'weekday', level: 2 },
      { code: 'D', dimension: 'daypart', level: 4 },
      { code: 'S', dimension: 'step', level: 6 },
    ],
  );

/** A campaign of one cell, with one text of its own for each level. */
function campaignOf(campaign: number, fortnight: number, levels: Levels, step = 0): EvidenceCounts {
  const bins = new Float64Array(8 * TEXT_BINS);
  for (const [level, n] of levels) bins[level * TEXT_BINS + ((2 * campaign + level) % TEXT_BINS)] = n;
  const sum = (of: Levels, at: 1 | 2): number => of.reduce((total, own) => total + own[at], 0);
  const tone = levels.filter(([level]) => level < 2);
  const cellLevels = tone.length > 0 ? tone : levels.filter(([level]) => level < 4);
  return {
    campaign,
    cells: [
      {
        ...{ fortnight, step, position: 0, channel: 0, n: sum(cellLevels, 1), y: sum(cellLevels, 2) },
        levels: levels.map(([level]) => level),
        levelN: levels.map(([, n]) => n),
        levelY: levels.map(([, , y]) => y),
      },
    ],
    bins,
    texts: { ids: [`t${campaign}`], n: [sum(cellLevels, 1)] },
  };
}

const campaigns = (count: number, levels: Levels): EvidenceCounts[] =>
  Array.from({ length: count }, (_, c) => campaignOf(c, c % 3, levels));
const assess = (counts: readonly EvidenceCounts[], asOf?: number) => {
  const { assessments } = assessEvidence(designOf(), counts, asOf === undefined ? {} : { asOf });
  return (code: string): EvidenceAssessment =>
    assessments.find((own) => own.code === code) as EvidenceAssessment;
};
const plain: Levels = [
  [0, 50, 20],
  [1, 50, 5],
];

describe('an assessment says, by hand', () => {
  it('what was sent and answered on both sides, and what it rests on', () => {
    const tone = assess(campaigns(12, plain))('T');
    expect(tone).toMatchObject({
      ...{ code: 'T', dimension: 'tone', tier: 'confirmed', reason: null, goesWith: null, change: null },
      ...{ n: 600, y: 240, nOther: 600, yOther: 60, comparedShare: 1, eligible: true, countedSince: 0 },
      ...{ campaigns: 12, campaignsWith: 12, campaignsWithout: 12, campaignsWithBoth: 12 },
      ...{ textsWith: 12, textsWithout: 12, sendsToDecide: 0, trialSends: null },
    });
    // Odds of 20 to 30 and 5 to 45; at one in ten without, four in ten with.
    expect(tone.logOr).toBeCloseTo(Math.log(6), 9);
    expect(tone.lift).toBeCloseTo(3, 9);
    const rate = (logOr: number): number => {
      const odds = Math.exp(logOr) / 9;
      return odds / (1 + odds);
    };
    expect(tone.liftLow).toBeCloseTo(rate(tone.low) / 0.1 - 1, 9);
    expect(tone.liftHigh).toBeCloseTo(rate(tone.high) / 0.1 - 1, 9);
    // Twelve units of one text on each side; half of the bet is on this start, the rest on those to come.
    const total = noSums();
    const unit = noSums();
    setUnitSums(unit, 20 - 12.5, (50 * 50 * 25 * 75) / (100 * 100 * 99), 2);
    for (let i = 0; i < 12; i++) addSums(total, unit);
    expect(Math.log(tone.eValue)).toBeCloseTo(Math.log(0.5 * Math.exp(logEValue(total)) + 0.5), 6);
  });

  it('only what came until a fortnight', () => {
    expect(assess(campaigns(12, plain), 0)('T')).toMatchObject({
      n: 200,
      nOther: 200,
      campaigns: 4,
      textsWith: 4,
    });
    expect(assess(campaigns(12, plain), 1)('T')).toMatchObject({ n: 400, yOther: 40, campaigns: 8 });
    expect(assess(campaigns(12, plain), 9)('T')).toMatchObject({ n: 600, countedSince: 0 });
  });

  it('that eight comparisons of texts are needed, and what a trial would take', () => {
    expect(assess(campaigns(8, plain))('T')).toMatchObject({ eligible: true, trialSends: null });
    expect(assess(campaigns(7, plain))('T')).toMatchObject({
      ...{ eligible: false, tier: null, reason: 'few_texts', sendsToDecide: null },
      trialSends: sendsOfTrial(0.25, confirmedAtLogE(1, 0, false)),
    });
  });

  it('that no text counts where nobody has answered, however many were sent', () => {
    const unanswered = campaigns(12, [
      [0, 50, 0],
      [1, 50, 0],
    ]);
    expect(assess(unanswered)('T')).toMatchObject({
      ...{
        reason: 'few_texts',
        campaigns: 0,
        y: 0,
        yOther: 0,
        textsWith: 0,
        textsWithout: 0,
        trialSends: null,
      },
    });
  });

  it('that nothing compares: no data, or none inside a campaign', () => {
    const one = assess(campaigns(3, [[0, 50, 20]]))('T');
    expect(one).toMatchObject({
      ...{ reason: 'no_data', n: 150, nOther: 0, lift: 0, comparedShare: 0, campaignsWithBoth: 0 },
      trialSends: sendsOfTrial(0.4, confirmedAtLogE(1, 0, false)),
    });
    expect(assess([])('T')).toMatchObject({ reason: 'no_data', countedSince: null, trialSends: null });
    const apart = [campaignOf(0, 0, [[0, 50, 20]]), campaignOf(1, 0, [[1, 70, 20]])];
    expect(assess(apart)('T')).toMatchObject({
      ...{ reason: 'varies_between_campaigns', campaigns: 0, campaignsWith: 1, campaignsWithout: 1 },
      ...{ campaignsWithBoth: 0, comparedShare: 0, logOr: 0 },
      trialSends: sendsOfTrial(40 / 120, confirmedAtLogE(1, 0, false)),
    });
    const half = [...apart, campaignOf(2, 0, plain)];
    expect(assess(half)('T').comparedShare).toBeCloseTo(100 / 220, 12);
  });

  it('how many more messages would decide, where what was seen goes on', () => {
    const levels: Levels = [
      [0, 50, 6],
      [1, 50, 5],
    ];
    const tone = assess(campaigns(12, levels))('T');
    expect(tone).toMatchObject({ tier: null, reason: 'undecided', eligible: true });
    const total = noSums();
    const unit = noSums();
    setUnitSums(unit, 0.5, (50 * 50 * 11 * 89) / (100 * 100 * 99), 2);
    for (let i = 0; i < 12; i++) addSums(total, unit);
    // One code takes part, and half of the bet is on the start: an e-value of 40.
    const expected = sendsToConfirm(total, 1_200, confirmedAtLogE(1, 0, false) + Math.log(2));
    expect(tone.sendsToDecide).toBe(expected);
    const none = assess(
      campaigns(12, [
        [0, 50, 5],
        [1, 50, 5],
      ]),
    )('T');
    expect(none).toMatchObject({ reason: 'undecided', sendsToDecide: null, logOr: 0 });
  });

  it('that steps are described, never claimed', () => {
    const steps = Array.from({ length: 12 }, (_, c): EvidenceCounts => {
      const [first] = campaignOf(c, 0, [
        [0, 50, 20],
        [6, 50, 20],
      ]).cells;
      const { cells, ...rest } = campaignOf(
        c,
        0,
        [
          [0, 50, 5],
          [7, 50, 5],
        ],
        1,
      );
      return { ...rest, cells: [first as (typeof cells)[number], ...cells] };
    });
    expect(assess(steps)('S')).toMatchObject({
      ...{ reason: 'survivors', tier: null, eligible: false, sendsToDecide: null, trialSends: null },
      ...{ n: 600, y: 240, nOther: 600, yOther: 60 },
    });
  });

  it('that steps are described where all messages are first ones, too, and that no trial would make them a claim', () => {
    const first = campaigns(3, [
      [0, 50, 20],
      [6, 50, 20],
    ]);
    expect(assess(first)('S')).toMatchObject({
      ...{ reason: 'survivors', n: 150, nOther: 0, sendsToDecide: null, trialSends: null },
    });
    expect(assess(campaigns(3, [[0, 50, 20]]))('S')).toMatchObject({ reason: 'no_data', n: 0 });
  });

  it('that no trial inside one campaign tells channels apart, which rest on campaigns', () => {
    const design = evidenceDesign(
      [{ name: 'channel', kind: 'channel', levels: [0, 1] }],
      [{ code: 'C', dimension: 'channel', level: 0 }],
    );
    const channelOf = (counts: readonly EvidenceCounts[]): EvidenceAssessment | undefined =>
      assessEvidence(design, counts).assessments[0];
    const cut = (levels: Levels, count: number): EvidenceCounts[] =>
      campaigns(count, levels).map((own) => ({ ...own, bins: new Float64Array(design.width * TEXT_BINS) }));
    expect(channelOf(cut([[0, 50, 20]], 3))).toMatchObject({ reason: 'no_data', trialSends: null });
    expect(channelOf(cut(plain, 7))).toMatchObject({
      ...{ reason: 'few_texts', campaigns: 7, textsWith: 0, textsWithout: 0, trialSends: null },
    });
    expect(channelOf(cut(plain, 8))).toMatchObject({ eligible: true });
  });

  it('that days are what repeats of weekdays and dayparts', () => {
    const days = Array.from({ length: 9 }, (_, f) =>
      campaignOf(f, f, [
        [0, 100, 25],
        [2, 50, 20],
        [3, 50, 5],
        [4, 50, 20],
        [5, 50, 5],
      ]),
    );
    const of = assess(days);
    // A weekday is one day of each fortnight; both dayparts were on its two days.
    expect(of('W')).toMatchObject({ n: 450, eligible: true, textsWith: 9, textsWithout: 9, campaigns: 9 });
    expect(of('D')).toMatchObject({ n: 450, eligible: true, textsWith: 18, textsWithout: 18 });
    expect(of('W').logOr).toBeCloseTo(Math.log(6), 9);
    const few = assess(days.slice(0, 7));
    expect([few('W').eligible, few('D').eligible]).toEqual([false, true]);
  });

  it('the same of families that share a text as of one unit', () => {
    const shared = campaigns(12, plain).map((own) => ({ ...own, texts: { ids: ['one'], n: [100] } }));
    const tone = assess(shared)('T');
    expect(tone).toMatchObject({ n: 600, campaigns: 12, campaignsWithBoth: 12 });
    expect(tone.textsWith).toBeCloseTo(12, 6);
    const apart = assess(campaigns(12, plain))('T');
    expect(tone.logOr).toBeCloseTo(apart.logOr, 9);
  });
});
