import { assessPatterns, type PatternAssessment } from '../patterns';
import { seededRng } from '../random';
import { generateCohorts, planCompany } from '../testing';
import { atMost, type Check, mustFail } from './check';

/** Whether what is said of one code contradicts itself: tier, interval, probability, lift. */
export function contradictsItself(r: PatternAssessment): boolean {
  const sign = Math.max(r.probabilityPositive, 1 - r.probabilityPositive);
  const excludesZero = r.low > 0 || r.high < 0;
  return (
    excludesZero !== sign > 0.975 ||
    (r.tier === 3 && !excludesZero) ||
    (r.tier === 2 && sign < 0.95) ||
    (r.tier === 1 && sign < 0.9) ||
    (r.evidenceTier === null) !== (r.tier === 0) ||
    r.lift * r.logOr < 0 ||
    (r.probabilityPositive - 0.5) * r.logOr < 0 ||
    !(r.low <= r.logOr && r.logOr <= r.high)
  );
}

/** The tier that the tests alone would give, without asking for the sign's probability. */
function tierOfTestAlone(r: PatternAssessment): PatternAssessment {
  return r.eligible && r.qValue <= 0.2 && r.tier === 0 ? { ...r, tier: 1, evidenceTier: 'directional' } : r;
}

/** Contradictions over generated companies of all sizes, with and without planted effects. */
export function countContradictions(
  companies: number,
  change: (r: PatternAssessment) => PatternAssessment = (r) => r,
): number {
  let found = 0;
  for (let seed = 1; seed <= companies; seed++) {
    const rng = seededRng(70_000_000 + seed);
    const effect = seed % 3 === 0 ? 0 : (rng.next() - 0.5) * 2;
    const effects = {
      'tone.questioning': effect,
      'subject_form.question': -effect,
      'length.under_50': effect / 2,
    };
    const model = planCompany({ effects, baseRate: 0.01 + 0.12 * rng.next() }, rng);
    const run = { days: 5 + Math.floor(55 * rng.next()), sendsPerDay: 3 + 60 * rng.next() };
    const results = assessPatterns({ cohorts: generateCohorts(model, run, rng), codes: model.codes });
    found += results.map(change).filter(contradictsItself).length;
  }
  return found;
}

export function verifyCoherence(scale: number): Check[] {
  const companies = Math.max(30, Math.round(10_000 * scale));
  const s = '2 patterns';
  const claim = `contradictions of tier, interval and probability, ${companies} companies x 51 codes`;
  return [
    atMost(s, claim, countContradictions(companies), 0),
    mustFail(
      atMost(
        s,
        'tiers by the tests alone: contradictions in 500 companies',
        countContradictions(Math.min(companies, 500), tierOfTestAlone),
        0,
      ),
    ),
  ];
}
