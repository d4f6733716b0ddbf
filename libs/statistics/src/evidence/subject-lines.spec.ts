import { seededRng } from '../random/rng';
import { drawBinomial, drawNormal } from '../random/samplers';
import { assessEvidence, evidenceDesign, type EvidenceCounts, TEXT_BINS } from '.';

/** Two levels of one feature of the subject: whether it asks a question. */
const DESIGN = evidenceDesign(
  [{ name: 'subject_question', kind: 'text', levels: [0, 1] }],
  [{ code: 'SF-1', dimension: 'subject_question', level: 0 }],
);
const [COMPANIES, CAMPAIGNS, FORTNIGHTS, MESSAGES] = [60, 10, 4, 400];

interface World {
  /** sd of the log-odds that a subject has of its own, whatever its features */
  readonly own: number;
  /** added to the log-odds of every subject with the feature */
  readonly effect?: number;
  /** whether all campaigns send under the same two subjects */
  readonly reused?: boolean;
}

/**
 * A company that tries two subject lines in every campaign, by lot, under one body: as one tests subject lines. One asks a
 * question.
 * @param bySubject - whether subjects are told apart beside bodies
 */
function countsOf(
  { own, effect = 0, reused = false }: World,
  seed: number,
  bySubject: boolean,
): EvidenceCounts[] {
  const rng = seededRng(seed);
  const drawn = () => [own * drawNormal(rng) + effect, own * drawNormal(rng)];
  const shared = drawn();
  return Array.from({ length: CAMPAIGNS }, (_, campaign) => {
    const logOdds = reused ? shared : drawn();
    const level = -2.8 + 0.4 * drawNormal(rng);
    const bins = new Float64Array((bySubject ? 2 : 1) * DESIGN.width * TEXT_BINS);
    const sent = FORTNIGHTS * MESSAGES;
    for (const side of [0, 1]) {
      bins[side * TEXT_BINS + ((7 * campaign) % TEXT_BINS)] = sent;
      const subject = reused ? 3 + side : (13 * campaign + 29 * side) % TEXT_BINS;
      if (bySubject) bins[(DESIGN.width + side) * TEXT_BINS + subject] = sent;
    }
    const cells = Array.from({ length: FORTNIGHTS }, (_unused, fortnight) => {
      const levelY = logOdds.map((odds) => {
        const rate = 1 / (1 + Math.exp(-(level + odds)));
        return drawBinomial(rng, MESSAGES, rate);
      });
      const sums = { n: 2 * MESSAGES, y: (levelY[0] as number) + (levelY[1] as number) };
      const place = { fortnight, step: 0, position: 0, channel: 0 };
      return { ...place, ...sums, levels: [0, 1], levelN: [MESSAGES, MESSAGES], levelY };
    });
    const bodies = { ids: [`body ${campaign}`], n: [2 * sent] };
    const subjectOf = (side: number) => `subject ${reused ? side : `${campaign} ${side}`}`;
    const subjects = { ids: [subjectOf(0), subjectOf(1)], n: [sent, sent] };
    return { campaign, cells, bins, texts: bySubject ? [bodies, subjects] : bodies };
  });
}

/** Share of companies to which the feature is shown as confirmed. */
function confirmed(world: World, bySubject = true): number {
  let shown = 0;
  for (let company = 0; company < COMPANIES; company++) {
    const { assessments } = assessEvidence(DESIGN, countsOf(world, 100 + company, bySubject));
    if (assessments[0]?.tier === 'confirmed') shown++;
  }
  return shown / COMPANIES;
}

describe('two subject lines under one body', () => {
  it.each([{ own: 0.5 }, { own: 0.3 }, { own: 0.5, reused: true }])(
    'confirm nothing of a feature without an effect: %j',
    (world) => {
      expect(confirmed(world)).toBeLessThanOrEqual(0.05);
    },
  );

  it.each([
    [{ own: 0.5 }, 0.25],
    [{ own: 0.5, reused: true }, 0.25],
  ])('would confirm it for many where texts are told apart by their bodies alone: %j', (world, least) => {
    expect(confirmed(world, false)).toBeGreaterThan(least);
  });

  it('confirm an effect that all such pairs of a company share', () => {
    expect(confirmed({ own: 0.15, effect: 0.6 })).toBeGreaterThan(0.7);
  });
});
