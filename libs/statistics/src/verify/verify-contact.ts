import { fitArms } from '../arms/fit-arms';
import { calibrate, type Calibration } from '../contact/calibration';
import { fitContactModel, predictContact } from '../contact/contact-model';
import { expit, logit } from '../numerics/logistic';
import { drawBeta, drawBinomial, drawIndex, drawNormal, seededRng } from '../random';
import { atLeast, atMost, between, type Check, mustFail } from './check';

const ARMS = 8;
/** Planted shifts: touches without a reply so far, an earlier reply on the other channel, a fitting segment. */
const EFFECTS = [-0.35, 0.9, 0.5] as const;
const HISTORIES = [
  { x: [0, 0, 0], share: 0.4 },
  { x: [1, 0, 0], share: 0.2 },
  { x: [2, 0, 0], share: 0.15 },
  { x: [0, 1, 0], share: 0.05 },
  { x: [1, 0, 1], share: 0.1 },
  { x: [0, 0, 1], share: 0.1 },
] as const;

export interface ContactResult {
  readonly ours: Calibration;
  readonly oracleSkill: number;
  /** what a constant prediction of the base rate scores on calibration error */
  readonly constantEce: number;
  readonly constantSkill: number;
}

/** Fits on one year of touches, predicts the next; pooled over companies. */
export function simulateContacts(companies: number, touches: number, seed: number): ContactResult {
  const predictions: number[] = [];
  const oracle: number[] = [];
  const outcomes: number[] = [];
  for (let company = 0; company < companies; company++) {
    const rng = seededRng(seed + company);
    const centre = Math.max(0.01, expit(-3.3 + 0.5 * drawNormal(rng)));
    const rates = Array.from({ length: ARMS }, () => drawBeta(rng, centre * 40, (1 - centre) * 40));
    const chance = (arm: number, x: readonly number[]): number =>
      expit(
        logit(Math.min(0.9, Math.max(1e-4, rates[arm] as number))) +
          x.reduce((sum, value, j) => sum + value * (EFFECTS[j] as number), 0),
      );
    const shares = HISTORIES.map(({ share }) => share);
    const cells = rates.map(() => HISTORIES.map(() => ({ n: 0, y: 0 })));
    for (let t = 0; t < touches; t++) {
      const cell = (cells[Math.floor(rng.next() * ARMS)] as { n: number; y: number }[])[
        drawIndex(rng, shares)
      ] as { n: number; y: number };
      cell.n++;
    }
    cells.forEach((row, arm) =>
      row.forEach(
        (cell, h) =>
          (cell.y = drawBinomial(rng, cell.n, chance(arm, (HISTORIES[h] as (typeof HISTORIES)[number]).x))),
      ),
    );
    // The arm is what a contact without history does: the touches without history estimate it.
    const arms = fitArms(cells.map((row) => row[0] as { n: number; y: number })).arms;
    const model = fitContactModel(
      cells.flatMap((row, arm) =>
        row.map((cell, h) => ({
          armMean: (arms[arm] as (typeof arms)[number]).mean,
          x: (HISTORIES[h] as (typeof HISTORIES)[number]).x,
          ...cell,
        })),
      ),
    );
    const promised = arms.map((arm) => HISTORIES.map(({ x }) => predictContact(model, arm, x).probability));
    for (let t = 0; t < touches; t++) {
      const arm = Math.floor(rng.next() * ARMS);
      const h = drawIndex(rng, shares);
      const truth = chance(arm, (HISTORIES[h] as (typeof HISTORIES)[number]).x);
      predictions.push((promised[arm] as number[])[h] as number);
      oracle.push(truth);
      outcomes.push(rng.next() < truth ? 1 : 0);
    }
  }
  const base = outcomes.reduce((a, b) => a + b, 0) / outcomes.length;
  const constant = calibrate(
    predictions.map(() => base),
    outcomes,
  );
  return {
    ours: calibrate(predictions, outcomes),
    oracleSkill: calibrate(oracle, outcomes).brierSkill ?? 0,
    constantEce: constant.ece,
    constantSkill: constant.brierSkill ?? 0,
  };
}

/** Acceptance lines of section 6. */
export function verifyContact(scale: number): Check[] {
  const { ours, oracleSkill, constantSkill } = simulateContacts(
    Math.max(4, Math.round(40 * scale)),
    10_000,
    9_000_000,
  );
  const s = '6 contact';
  return [
    between(s, 'observed over expected replies', ours.observedOverExpected, 0.95, 1.05),
    between(s, 'calibration slope', ours.slope ?? 0, 0.9, 1.1),
    atMost(s, 'calibration error over ten equal-mass bins', ours.ece, 0.004),
    atMost(s, 'the same over the base rate', ours.ece / ours.baseRate, 0.15),
    atLeast(s, "Brier skill over the oracle's", (ours.brierSkill ?? 0) / oracleSkill, 0.8),
    mustFail(
      atLeast(s, "constant prediction: Brier skill over the oracle's", constantSkill / oracleSkill, 0.8),
    ),
  ];
}
