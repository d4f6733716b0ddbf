import { DAY_MS } from '@outcomes/contracts';
import { generateCompany, type CompanySpec, type GeneratedEvent } from '@outcomes/statistics/testing';

export const DEMO_DAYS = 90;
const SENDS_PER_DAY = 250;
/** Day of the history on which the reply rate falls. */
const DRIFT_DAY = 60;
const DRIFT_LOG_ODDS = -0.75;

/** How often a feature is chosen anew, which decides what can be known of it. */
export type Varied = 'per message' | 'per text' | 'per campaign';

export interface PlantedEffect {
  /** Code of the pattern catalogue. */
  readonly code: string;
  /** 0: no effect. */
  readonly logOddsRatio: number;
  readonly varied: Varied;
}

const PER_CAMPAIGN = ['tone', 'approach'];
const PER_TEXT = ['length', 'social_proof', 'subject_length', 'readability'];

/** Effects by level in the generator's words. */
const EFFECTS: Readonly<Record<string, number>> = {
  'subject_form.question': 0.7,
  'key_phrase.quick_question': -0.8,
  'length.under_50': 0.6,
  'tone.direct': 0.7,
};

/**
 * What the demonstration hides in its history, beside campaigns and texts that differ by themselves, and channels and
 * steps that differ in their rates anyway. What is chosen message by message can be found; what only texts or campaigns
 * decide cannot be told from these.
 */
export const PLANTED_EFFECTS: readonly PlantedEffect[] = [
  { code: 'SF-1', logOddsRatio: 0.7, varied: 'per message' },
  { code: 'KP-1', logOddsRatio: -0.8, varied: 'per message' },
  { code: 'BWC-1', logOddsRatio: 0.6, varied: 'per text' },
  { code: 'TA-1', logOddsRatio: 0.7, varied: 'per campaign' },
  { code: 'PER-3', logOddsRatio: 0, varied: 'per message' },
  { code: 'KP-3', logOddsRatio: 0, varied: 'per message' },
  { code: 'SP-1', logOddsRatio: 0, varied: 'per text' },
  { code: 'MA-1', logOddsRatio: 0, varied: 'per campaign' },
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
    effects: EFFECTS,
    bodyShare: 1,
    campaigns: 8,
    copy: { perCampaign: PER_CAMPAIGN, perText: PER_TEXT, texts: 6, campaignSd: 0.4, textSd: 0.3 },
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
        since: new Date((startDay + DRIFT_DAY) * DAY_MS).toISOString().slice(0, 10),
        direction: 'down',
      },
    },
  };
}
