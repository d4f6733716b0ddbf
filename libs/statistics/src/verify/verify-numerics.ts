import { fitArms } from '../arms/fit-arms';
import { type PatternInput } from '../patterns/pattern-types';
import { assessPatterns } from '../patterns/assess-patterns';
import { seededRng } from '../random';
import { planCompany } from '../testing/company-model';
import { generateCohorts } from '../testing/generate-cohorts';
import { atMost, type Check } from './check';

/** The same input must give the same bytes, and appending later days must not change earlier blocks' evidence. */
export function verifyDeterminism(): Check[] {
  const rng = seededRng(10_000_000);
  const model = planCompany({ effects: { 'tone.questioning': 0.6 } }, rng);
  const input: PatternInput = {
    cohorts: generateCohorts(model, { days: 60, sendsPerDay: 60 }, rng),
    codes: model.codes,
  };
  const runs = [1, 2].map(() =>
    JSON.stringify([
      assessPatterns(input),
      fitArms([
        { n: 200, y: 9 },
        { n: 40.5, y: 1.25 },
      ]),
    ]),
  );
  return [
    atMost('8 numerics', 'reruns on the same data that changed a byte', runs[0] === runs[1] ? 0 : 1, 0),
  ];
}
