import { effectPosterior } from './effect-posterior';
import { addSums, EVIDENCE_SUMS, type EvidenceSums, noSums, setUnitSums } from './evidence-sums';
import { type EvidenceUnit, sumsFromStarts } from './evidence-units';
import { logEValue } from './log-e-value';

/** Numbers of newest fortnights that are held against those before: 28, 56, 84 and 168 days. */
const WINDOWS: readonly number[] = [2, 4, 6, 12];
/** Fortnights before a window from which there is an effect to contradict. */
const FORTNIGHTS_BEFORE = 3;
const LOG_SUPPORTED = Math.log(20);
const LOG_CONTRADICTED = Math.log(80);

/** An effect that no longer is what it was. */
export interface EffectChange {
  /** fortnight from which evidence counts anew */
  readonly since: number;
  /** last fortnight that was needed to see it */
  readonly seen: number;
}

/**
 * Sums over [from, t) for every t up to the end, at once: each unit adds to the fortnights in which it grows, and its
 * whole to all that follow.
 */
function sumsUntil(
  units: readonly EvidenceUnit[],
  contrast: number,
  contrasts: number,
  from: number,
  asOf: number,
): EvidenceSums[] {
  const sums = Array.from({ length: Math.max(0, asOf - from + 2) }, noSums);
  const own = noSums();
  const before = noSums();
  for (const { first, length, z, v, distances } of units) {
    let score = 0;
    let variance = 0;
    before.fill(0);
    for (let row = Math.max(0, from - first); row < length && first + row <= asOf; row++) {
      const at = row * contrasts + contrast;
      if ((v[at] as number) === 0) continue;
      score += z[at] as number;
      variance += v[at] as number;
      setUnitSums(own, score, variance, distances[contrast] as number);
      const growth = sums[first + row + 1 - from] as EvidenceSums;
      for (let i = 0; i < EVIDENCE_SUMS; i++) {
        growth[i] = (growth[i] as number) + ((own[i] as number) - (before[i] as number));
      }
      before.set(own);
    }
  }
  for (let t = 1; t < sums.length; t++) addSums(sums[t] as EvidenceSums, sums[t - 1] as EvidenceSums);
  return sums;
}

/** The units of the newest fortnights: of hundreds that a company has had, a few dozen. */
class RunningUnits {
  private readonly byFirst: readonly EvidenceUnit[];
  private running: EvidenceUnit[] = [];
  private begun = 0;
  private now = -Infinity;

  /** @param span - fortnights that are looked back over */
  constructor(
    units: readonly EvidenceUnit[],
    private readonly span: number,
  ) {
    this.byFirst = [...units].sort((a, b) => a.first - b.first);
  }

  /** @param now - fortnight, ascending from call to call @returns those with a part in the span that ends there, by id */
  until(now: number): readonly EvidenceUnit[] {
    if (now === this.now) return this.running;
    this.now = now;
    const goOn = this.running.filter(({ first, length }) => first + length > now - this.span + 1);
    for (; this.begun < this.byFirst.length; this.begun++) {
      const unit = this.byFirst[this.begun] as EvidenceUnit;
      if (unit.first > now) break;
      if (unit.first + unit.length > now - this.span + 1) goOn.push(unit);
    }
    this.running = goOn.sort((a, b) => a.id - b.id);
    return this.running;
  }
}

/** Whether the newest fortnights contradict, on the side where less is left of it, an effect estimated before them. */
function contradicts(newest: EvidenceSums, estimate: number): boolean {
  const q = newest[2] as number;
  const observed = q > 0 ? (newest[1] as number) / q : estimate;
  return (observed - estimate) * estimate < 0 && logEValue(newest, estimate) >= LOG_CONTRADICTED;
}

/**
 * Goes through the fortnights as they passed, and begins anew wherever the newest of them contradict an effect that
 * those before them support. Being replayed from the counts it forgets nothing and latches nothing.
 *
 * @returns the last change, or null
 */
export function lastChange(
  units: readonly EvidenceUnit[],
  contrast: number,
  contrasts: number,
  first: number,
  asOf: number,
): EffectChange | null {
  let since = first;
  let change: EffectChange | null = null;
  let before = sumsUntil(units, contrast, contrasts, since, asOf);
  const running = new RunningUnits(units, Math.max(...WINDOWS));
  for (let now = first + FORTNIGHTS_BEFORE; now <= asOf; now++) {
    for (const window of WINDOWS) {
      const from = now - window + 1;
      if (from - since < FORTNIGHTS_BEFORE) break;
      const earlier = before[from - since] as EvidenceSums;
      if (logEValue(earlier) < LOG_SUPPORTED) continue;
      const [newest] = sumsFromStarts(running.until(now), contrast, contrasts, [from], now) as [EvidenceSums];
      if (!contradicts(newest, effectPosterior(earlier).mean)) continue;
      change = { since: from, seen: now };
      since = from;
      before = sumsUntil(units, contrast, contrasts, since, asOf);
      break;
    }
  }
  return change;
}
