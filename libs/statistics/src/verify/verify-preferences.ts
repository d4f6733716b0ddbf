import { findPreferenceSegments, type PreferenceTable, testPreferences } from '../segments';
import { type CompanySpec, type GeneratedEvent, generateCompany, type PlantedTruth } from '../testing';
import { DIMENSIONS } from '../testing/dimension-plan';
import { DAY_MS } from '../testing/iso-time';
import { atLeast, atMost, type Check, mustFail } from './check';
import { adjustedRand } from './verify-segments';

/** Dimensions of a message; those that are the stratum itself cannot be preferred. */
const TESTED = DIMENSIONS.filter(({ stratumPart }) => stratumPart === undefined);
const TIMES = ['weekday', 'daypart'];
/** The service tests industries and positions, so both share the chance of a false claim. */
const TESTS = 2 * TESTED.length;

interface Cell {
  readonly group: string;
  readonly n: number[];
  readonly y: number[];
}

/** What messages are compared within: the strata of the service, or those of messages without a campaign. */
type StratumOf = (event: GeneratedEvent) => string;
export const withoutCampaign: StratumOf = (event) =>
  `${event.channel} ${Math.min(2, event.sequence_step)} ${event.recipient_position}`;
const inCampaign: StratumOf = (event) => `${event.metadata.campaign_id} ${withoutCampaign(event)}`;

/** Counts per industry and stratum of the events sent up to a day. */
export function preferenceTables(
  events: readonly GeneratedEvent[],
  features: PlantedTruth['features'],
  stratumOf: StratumOf = inCampaign,
): PreferenceTable[] {
  return TESTED.map(({ name, levels }) => {
    const cells = new Map<string, Cell>();
    for (const event of events) {
      const key = `${event.industry} ${stratumOf(event)}`;
      let cell = cells.get(key);
      if (!cell) {
        cell = { group: event.industry, n: levels.map(() => 0), y: levels.map(() => 0) };
        cells.set(key, cell);
      }
      const level = levels.indexOf(features.get(event.event_id)?.[name] ?? '');
      if (level < 0) continue;
      cell.n[level] = (cell.n[level] as number) + 1;
      if (event.outcome === 'responded') cell.y[level] = (cell.y[level] as number) + 1;
    }
    return { dimension: name, cells: [...cells.values()] };
  });
}

function segmentsOf(
  events: readonly GeneratedEvent[],
  features: PlantedTruth['features'],
  seed: number,
  stratumOf?: StratumOf,
) {
  const people = new Map<string, Set<string>>();
  for (const { industry, outcome, recipient_id } of events) {
    const group = people.get(industry) ?? new Set();
    people.set(industry, group);
    if (outcome === 'responded') group.add(recipient_id);
  }
  const groups = [...people].map(([id, members]) => ({ id, people: members.size }));
  return findPreferenceSegments(groups, preferenceTables(events, features, stratumOf), {
    seed,
    tests: TESTS,
  });
}

/** Share of companies without segments that are ever shown one, looked at every `every` days. */
export function simulateNoPreference(
  runs: number,
  spec: CompanySpec,
  every: number,
  seed: number,
  stratumOf?: StratumOf,
): number {
  let ever = 0;
  for (let run = 0; run < runs; run++) {
    const { events, truth } = generateCompany(spec, seed + run);
    const days = spec.days ?? 60;
    const start = Date.parse(events[0]?.sent_at ?? '');
    for (let day = every; day <= days; day += every) {
      const upTo = events.filter(({ sent_at }) => Date.parse(sent_at) < start + day * DAY_MS);
      if (segmentsOf(upTo, truth.features, run, stratumOf).segments.length > 0) {
        ever++;
        break;
      }
    }
  }
  return ever / runs;
}

/** The mistake: every dimension judged alone, on one day. */
export function simulateEveryTestAlone(runs: number, spec: CompanySpec, seed: number): number {
  let any = 0;
  for (let run = 0; run < runs; run++) {
    const { events, truth } = generateCompany(spec, seed + run);
    if (preferenceTables(events, truth.features).some((table) => testPreferences(table).pValue < 0.05)) any++;
  }
  return any / runs;
}

/** Mean adjusted Rand index of planted segments; people outside every segment count as one more group. */
export function simulatePlantedPreferences(runs: number, spec: CompanySpec, seed: number): number {
  let total = 0;
  for (let run = 0; run < runs; run++) {
    const { events, truth } = generateCompany(spec, seed + run);
    const { segments } = segmentsOf(events, truth.features, run);
    const industryOf = new Map(events.map(({ recipient_id, industry }) => [recipient_id, industry]));
    const [planted, found]: [number[], number[]] = [[], []];
    truth.segments.forEach(({ recipientIds }, s) => {
      for (const id of recipientIds) {
        const industry = industryOf.get(id);
        if (industry === undefined) continue;
        planted.push(s);
        found.push(segments.findIndex(({ groups }) => groups.includes(industry)));
      }
    });
    total += adjustedRand(planted, found);
  }
  return total / runs;
}

export const PLAIN: CompanySpec = { days: 90, sendsPerDay: 120, baseRate: 0.06 };
export const PLANTED: CompanySpec = { days: 180, sendsPerDay: 150, baseRate: 0.06, segments: 3 };
/** Everything but the time is decided once per campaign, and each campaign is written to one industry. */
export const AIMED: CompanySpec = {
  ...{ days: 180, sendsPerDay: 60, campaigns: 36 },
  copy: {
    perCampaign: TESTED.filter(({ name }) => !TIMES.includes(name)).map(({ name }) => name),
    ...{ campaignSd: 0.5, aimed: 1 },
  },
};

/** Segments again, in campaigns that differ as much. */
export const PLANTED_IN_CAMPAIGNS: CompanySpec = { ...PLANTED, campaigns: 18, copy: { campaignSd: 0.5 } };

/** Acceptance lines of section 5, for the segments that the service shows. */
export function verifyPreferences(scale: number): Check[] {
  const s = '5 preference segments';
  return [
    atMost(
      s,
      'no structure: share of companies ever shown a segment in 30 looks',
      simulateNoPreference(Math.max(10, Math.round(1000 * scale)), PLAIN, 3, 8_300_000),
      0.05,
    ),
    atLeast(
      s,
      'three planted segments: adjusted Rand index',
      simulatePlantedPreferences(Math.max(3, Math.round(30 * scale)), PLANTED, 8_400_000),
      0.8,
    ),
    atMost(
      s,
      'campaigns that differ (sd .5), each of one copy to one industry: share of companies ever shown a segment in 6 looks',
      simulateNoPreference(Math.max(8, Math.round(200 * scale)), AIMED, 30, 8_600_000),
      0.05,
    ),
    mustFail(
      atMost(
        s,
        'campaigns not told apart: the same',
        simulateNoPreference(Math.max(8, Math.round(40 * scale)), AIMED, 30, 8_600_000, withoutCampaign),
        0.05,
      ),
    ),
    atLeast(
      s,
      'three planted segments in campaigns that differ (sd .5): adjusted Rand index',
      simulatePlantedPreferences(Math.max(3, Math.round(30 * scale)), PLANTED_IN_CAMPAIGNS, 8_700_000),
      0.8,
    ),
    mustFail(
      atMost(
        s,
        'p < .05 for each dimension alone: share of companies shown a difference where there is none',
        simulateEveryTestAlone(Math.max(10, Math.round(100 * scale)), PLAIN, 8_500_000),
        0.05,
      ),
    ),
  ];
}
