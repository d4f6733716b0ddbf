import { type Check, formatCheck } from './check';
import { type CompanyReplay, EvidenceSimulation } from './evidence-simulation';
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

/** What the sections are run with. */
export interface VerifyTools {
  readonly print: (line: string) => void;
  readonly cpu: CpuClock;
  /** Default: in this process. */
  readonly replay?: CompanyReplay;
}

type Section = (scale: number, cpu: CpuClock, simulate: EvidenceSimulation) => Check[] | Promise<Check[]>;

// Prints every acceptance line of the statistics design. Arguments: [scale, default 1] [section ...]
const SECTIONS: Readonly<Record<string, Section>> = {
  cost: (_scale, cpu) => verifyCost(cpu),
  maturity: verifyMaturity,
  arms: verifyArms,
  evidence: (scale, _cpu, simulate) => verifyEvidence(scale, simulate),
  health: verifyHealth,
  change: verifyChange,
  preferences: verifyPreferences,
  contact: verifyContact,
  priors: verifyPriors,
  numerics: verifyDeterminism,
};

/** Runs the chosen sections at a scale (1: the full size) and returns the number of failures. */
export async function verify(
  scale: number,
  sections: readonly string[],
  { print, cpu, replay }: VerifyTools,
): Promise<number> {
  const chosen = sections.length > 0 ? sections : Object.keys(SECTIONS);
  const simulate = new EvidenceSimulation(replay);
  const checks: Check[] = [];
  for (const name of chosen) {
    const section = SECTIONS[name];
    if (!section) throw new RangeError(`no section ${name}; there are ${Object.keys(SECTIONS).join(', ')}`);
    const results = await section(scale, cpu, simulate);
    results.forEach((check) => print(formatCheck(check)));
    checks.push(...results);
  }
  const failed = checks.filter(({ pass }) => !pass).length;
  print(`${checks.length - failed} of ${checks.length} lines hold${failed > 0 ? `, ${failed} FAIL` : ''}`);
  return failed;
}
