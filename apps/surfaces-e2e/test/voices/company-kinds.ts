import type { Channel } from '@outcomes/contracts';

/** Sequences that begin on some days, at one chance of a reply. */
export interface Stretch {
  /** Days before the newest message, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Contacts first written to a day; below one, on some days only. */
  readonly perDay: number;
  readonly chance: number;
}

export interface PlannedCampaign {
  readonly id: string | null;
  readonly channel: Channel;
  /** Later steps go by the other channel. */
  readonly switches?: boolean;
  /** Chances of a message that bounces, and of an opt-out. */
  readonly bounces?: number;
  readonly optOuts?: number;
}

/** What a company is like. Everything else of it is drawn from its seed. */
export interface CompanyKind {
  readonly stretches: readonly Stretch[];
  readonly campaigns: readonly PlannedCampaign[];
  /** Days between the newest message and the reading. */
  readonly quietDays?: number;
  /** Days between the newest analysis and the reading; null where there is none. */
  readonly analysedDaysAgo?: number | null;
  /** Also analysed so many days before that, so that decisions have come true. */
  readonly firstAnalysedDaysAgo?: number;
  readonly withAddress?: boolean;
  readonly withTitles?: boolean;
  /** What one industry answers to, the others do not. */
  readonly tastesDiffer?: boolean;
  /** Recipients who share an e-mail address: so many ids are one person. */
  readonly idsPerAddress?: number;
  /** Recipients who are erased after the analysis; of every second one the opt-out is kept. */
  readonly erased?: number;
  /** Share of the contacts to whom something happens after the analysis. */
  readonly later?: number;
}

const spring: PlannedCampaign = { id: 'spring', channel: 'email' };
const autumn: PlannedCampaign = { id: 'autumn', channel: 'linkedin' };
const both: PlannedCampaign = { id: 'both', channel: 'email', switches: true };
const nameless: PlannedCampaign = { id: null, channel: 'email' };

const steady = (perDay: number, days: number, chance = 0.12): readonly Stretch[] => [
  { from: days, to: 0, perDay, chance },
];

/** Every kind of company that the questions are asked about. */
export const COMPANY_KINDS = {
  none: { stretches: [], campaigns: [] },
  tiny: { stretches: steady(0.4, 12), campaigns: [spring] },
  healthy: { stretches: steady(4, 90), campaigns: [spring, autumn, both], firstAnalysedDaysAgo: 40 },
  fell: {
    stretches: [
      { from: 110, to: 41, perDay: 7, chance: 0.3 },
      { from: 40, to: 0, perDay: 7, chance: 0.1 },
    ],
    campaigns: [spring, spring, { ...spring, id: 'summer' }],
  },
  rose: {
    stretches: [
      { from: 105, to: 46, perDay: 7, chance: 0.06 },
      { from: 45, to: 0, perDay: 7, chance: 0.28 },
    ],
    campaigns: [autumn, autumn, spring],
  },
  relearning: {
    stretches: [
      { from: 90, to: 33, perDay: 7, chance: 0.32 },
      { from: 32, to: 0, perDay: 7, chance: 0.01 },
    ],
    campaigns: [spring],
  },
  'of sixteen years ago': { stretches: steady(5, 70), campaigns: [spring, both], quietDays: 16 * 365 },
  'imported history': { stretches: steady(4, 80), campaigns: [spring, autumn], quietDays: 380 },
  'a campaign gone bad': {
    stretches: steady(4, 70),
    campaigns: [spring, autumn, { id: 'winter', channel: 'email', bounces: 0.2, optOuts: 0.08 }],
  },
  'linkedin only': { stretches: steady(3, 90), campaigns: [autumn], withAddress: false },
  'no e-mail': { stretches: steady(3, 70), campaigns: [spring, both], withAddress: false },
  'opt-outs': {
    stretches: steady(2, 60),
    campaigns: [{ ...spring, optOuts: 0.15 }, autumn],
    idsPerAddress: 3,
  },
  erased: { stretches: steady(2, 60), campaigns: [{ ...spring, optOuts: 0.1 }, both], erased: 8 },
  'positions unknown': { stretches: steady(3, 60), campaigns: [spring, autumn], withTitles: false },
  'without campaigns': { stretches: steady(2, 50), campaigns: [nameless] },
  'quiet of late': { stretches: steady(4, 80), campaigns: [spring, autumn], quietDays: 17 },
  'not analysed of late': { stretches: steady(3, 60), campaigns: [spring, autumn], analysedDaysAgo: 4 },
  'not analysed yet': { stretches: steady(2, 30), campaigns: [spring], analysedDaysAgo: null },
  'overtaken by events': { stretches: steady(2, 60), campaigns: [spring, autumn], later: 0.3 },
  'of two tastes': {
    stretches: steady(12, 90, 0.35),
    // One campaign alone would say nothing of what an industry prefers.
    campaigns: [
      ...['spring', 'summer', 'advent', 'winter', 'lent', 'may'].map((id) => ({ ...spring, id })),
      autumn,
    ],
    tastesDiffer: true,
  },
  young: { stretches: steady(5, 9, 0.2), campaigns: [spring, autumn] },
} as const satisfies Readonly<Record<string, CompanyKind>>;

export type CompanyKindName = keyof typeof COMPANY_KINDS;
export const COMPANY_KIND_NAMES = Object.keys(COMPANY_KINDS) as CompanyKindName[];
