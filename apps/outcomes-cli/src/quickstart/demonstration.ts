import { generateCompany, type CompanySpec, type GeneratedEvent } from '@outcomes/statistics/testing';

export const DEMO_DAYS = 90;
const SENDS_PER_DAY = 250;
/** Day of the history on which the reply rate falls. */
const DRIFT_DAY = 60;
const DRIFT_LOG_ODDS = -0.75;

export interface PlantedEffect {
  /** Level in the generator's words. */
  readonly effect: string;
  /** Code of the pattern catalogue that should find it. */
  readonly code: string;
  readonly logOddsRatio: number;
}

/** What the demonstration hides in its history, beside channels and steps that differ in their rates anyway. */
export const PLANTED_EFFECTS: readonly PlantedEffect[] = [
  { effect: 'tone.questioning', code: 'TA-5', logOddsRatio: 0.7 },
  { effect: 'subject_form.question', code: 'SF-1', logOddsRatio: 0.6 },
  { effect: 'length.under_50', code: 'BWC-1', logOddsRatio: 0.6 },
  { effect: 'social_proof.present', code: 'SP-1', logOddsRatio: 0.6 },
  { effect: 'key_phrase.quick_question', code: 'KP-1', logOddsRatio: -0.7 },
];

export interface PlantedArm {
  readonly channel: string;
  readonly position: string;
  readonly rate: number;
}

export interface PlantedFacts {
  readonly effects: readonly PlantedEffect[];
  /** Reply rates since the change. */
  readonly arms: readonly PlantedArm[];
  readonly drift: { readonly kind: 'rate'; readonly since: string; readonly direction: 'down' };
}

export interface Demonstration {
  readonly events: readonly GeneratedEvent[];
  readonly planted: PlantedFacts;
}

/**
 * A labelled synthetic history of 90 days that ends the day before `today`.
 * @param today - whole days since 1970-01-01
 * @param seed - the same seed and day give the same events, so that sending them again changes nothing
 */
export function makeDemonstration(today: number, seed: number): Demonstration {
  const startDay = today - DEMO_DAYS;
  const spec: CompanySpec = {
    days: DEMO_DAYS,
    startDay,
    sendsPerDay: SENDS_PER_DAY,
    effects: Object.fromEntries(PLANTED_EFFECTS.map(({ effect, logOddsRatio }) => [effect, logOddsRatio])),
    bodyShare: 1,
    campaigns: 4,
  };
  const changedOn = (day: number) => ({ kind: 'rate', day, logOddsShift: DRIFT_LOG_ODDS }) as const;
  const { events } = generateCompany({ ...spec, drift: changedOn(DRIFT_DAY) }, seed);
  // The same company with the change in force from its first day: what its arms are truly worth now.
  const { truth } = generateCompany({ ...spec, drift: changedOn(-DEMO_DAYS) }, seed);
  return {
    events,
    planted: {
      effects: PLANTED_EFFECTS,
      arms: truth.arms.map(({ channel, position, rate }) => ({ channel, position, rate })),
      drift: {
        kind: 'rate',
        since: new Date((startDay + DRIFT_DAY) * 86_400_000).toISOString().slice(0, 10),
        direction: 'down',
      },
    },
  };
}
