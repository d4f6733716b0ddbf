import { fitArms } from '../arms/fit-arms';
import { assessEvidence } from '../evidence';
import { generateEvidence } from '../testing';
import { atMost, type Check } from './check';

/** The same input must give the same bytes. */
export function verifyDeterminism(): Check[] {
  const company = generateEvidence({ days: 84, effects: { 'tone.4': 0.6 } }, 10_000_000);
  const runs = [1, 2].map(() =>
    JSON.stringify([
      assessEvidence(company.design, company.counts()),
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
