import { type Check, formatCheck } from './check';
import { verifyArms } from './verify-arms';
import { verifyChange } from './verify-change';
import { verifyContact } from './verify-contact';
import { type CpuClock, verifyCost } from './verify-cost';
import { verifyEvidence } from './verify-evidence';
import { verifyHealth } from './verify-health';
import { verifyMaturity } from './verify-maturity';
import { verifyDeterminism } from './verify-numerics';
import { verifyPreferences } from './verify-preferences';
import { verifyPriors } from './verify-priors';
import { verifySegments } from './verify-segments';

// Prints every acceptance line of the statistics design. Arguments: [scale, default 1] [section ...]
const SECTIONS: Readonly<Record<string, (scale: number, cpu: CpuClock) => Check[]>> = {
  cost: (_scale, cpu) => verifyCost(cpu),
  maturity: verifyMaturity,
  arms: verifyArms,
  evidence: verifyEvidence,
  health: verifyHealth,
  change: verifyChange,
  segments: verifySegments,
  preferences: verifyPreferences,
  contact: verifyContact,
  priors: verifyPriors,
  numerics: verifyDeterminism,
};

/** Runs the chosen sections at a scale (1: the full size) and returns the number of failures. */
export function verify(
  scale: number,
  sections: readonly string[],
  print: (line: string) => void,
  cpu: CpuClock,
): number {
  const chosen = sections.length > 0 ? sections : Object.keys(SECTIONS);
  const checks = chosen.flatMap((name) => {
    const section = SECTIONS[name];
    if (!section) throw new RangeError(`no section ${name}; there are ${Object.keys(SECTIONS).join(', ')}`);
    const results = section(scale, cpu);
    results.forEach((check) => print(formatCheck(check)));
    return results;
  });
  const failed = checks.filter(({ pass }) => !pass).length;
  print(`${checks.length - failed} of ${checks.length} lines hold${failed > 0 ? `, ${failed} FAIL` : ''}`);
  return failed;
}
