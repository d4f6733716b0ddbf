import { chiSquareSurvival } from '../numerics/incomplete-gamma';
import { FALSE_CLAIM, findPreferenceSegments, type PreferenceTable, testPreferences } from '../segments';
import {
  type CompanySpec,
  type GeneratedCompany,
  type GeneratedEvent,
  generateCompany,
  type PlantedTruth,
} from '../testing';
import { DIMENSIONS } from '../testing/dimension-plan';
import { DAY_MS } from '../testing/iso-time';
import { atLeast, atMost, type Check, mustFail } from './check';

/** Dimensions of a message; those that are the stratum itself cannot be preferred. */
const TESTED = DIMENSIONS.filter(({ stratumPart }) => stratumPart === undefined);
const TIMES = ['weekday', 'daypart'];
/** The service tests industries and positions, so both share the chance of a false claim. */
const TESTS = 2 * TESTED.length;

interface Cell {
  readonly group: string;
  readonly campaign: number;
  readonly texts: number;
  readonly n: number[];
  readonly y: number[];
}

/** Whose texts a message is compared with: those of its campaign, or of all. */
type CampaignOf = (event: GeneratedEvent) => string;
const ownCampaign: CampaignOf = ({ metadata }) => metadata.campaign_id;
/** The mistake: texts of all campaigns are compared, week by week. */
export const weekForCampaign: CampaignOf = ({ sent_at }) =>
  String(Math.floor(Date.parse(sent_at) / (7 * DAY_MS)));

/** Counts per industry and stratum of the events that were added. */
class PreferenceCounting {
  private readonly campaigns = new Map<string, number>();
  private readonly people = new Map<string, Set<string>>();
  private readonly cells = TESTED.map(() => new Map<string, Cell>());

  constructor(
    private readonly features: PlantedTruth['features'],
    private readonly campaignOf: CampaignOf = ownCampaign,
  ) {}

  add(event: GeneratedEvent): void {
    const { industry, recipient_id, recipient_position } = event;
    const named = this.campaignOf(event);
    const campaign = this.campaigns.get(named) ?? this.campaigns.size;
    this.campaigns.set(named, campaign);
    const texts = 3 * (event.channel === 'email' ? 0 : 1) + Math.min(2, event.sequence_step);
    const key = `${industry} ${campaign} ${texts} ${recipient_position}`;
    const answered = event.outcome === 'responded';
    const members = this.people.get(industry) ?? new Set();
    this.people.set(industry, members);
    if (answered) members.add(recipient_id);
    const features = this.features.get(event.event_id);
    TESTED.forEach(({ name, levels }, d) => {
      const cells = this.cells[d] as Map<string, Cell>;
      let cell = cells.get(key);
      if (!cell) {
        cell = { group: industry, campaign, texts, n: levels.map(() => 0), y: levels.map(() => 0) };
        cells.set(key, cell);
      }
      const level = levels.indexOf(features?.[name] ?? '');
      if (level < 0) return;
      cell.n[level] = (cell.n[level] as number) + 1;
      if (answered) cell.y[level] = (cell.y[level] as number) + 1;
    });
  }

  tables(): PreferenceTable[] {
    return TESTED.map(({ name }, d) => ({
      dimension: name,
      cells: [...(this.cells[d] as Map<string, Cell>).values()],
    }));
  }

  segments(seed: number) {
    const groups = [...this.people].map(([id, members]) => ({ id, people: members.size }));
    return findPreferenceSegments(groups, this.tables(), { seed, tests: TESTS }).segments;
  }
}

let latest:
  { readonly spec: CompanySpec; readonly seed: number; readonly company: GeneratedCompany } | undefined;

/** The last one is kept: what is right and what is a mistake are tried on the same company, one after the other. */
function companyOf(spec: CompanySpec, seed: number): GeneratedCompany {
  if (latest?.spec !== spec || latest.seed !== seed)
    latest = { spec, seed, company: generateCompany(spec, seed) };
  return latest.company;
}

function countingOf({ events, truth }: GeneratedCompany): PreferenceCounting {
  const counting = new PreferenceCounting(truth.features);
  events.forEach((event) => counting.add(event));
  return counting;
}

/** Share of companies without segments that are ever shown one, looked at every `every` days. */
export function simulateNoPreference(
  runs: number,
  spec: CompanySpec,
  every: number,
  seed: number,
  campaignOf?: CampaignOf,
): number {
  const looks = Math.floor((spec.days ?? 60) / every);
  let ever = 0;
  for (let run = 0; run < runs; run++) {
    const { events, truth } = companyOf(spec, seed + run);
    const counting = new PreferenceCounting(truth.features, campaignOf);
    const start = Date.parse(events[0]?.sent_at ?? '');
    let next = 0;
    for (let look = 1; look <= looks; look++) {
      const until = start + look * every * DAY_MS;
      for (; next < events.length && Date.parse((events[next] as GeneratedEvent).sent_at) < until; next++)
        counting.add(events[next] as GeneratedEvent);
      if (counting.segments(run).length === 0) continue;
      ever++;
      break;
    }
  }
  return ever / runs;
}

/** The mistake: every dimension judged alone, on one day. */
export function simulateEveryTestAlone(runs: number, spec: CompanySpec, seed: number): number {
  let any = 0;
  for (let run = 0; run < runs; run++) {
    const tables = countingOf(companyOf(spec, seed + run)).tables();
    if (tables.some((table) => testPreferences(table).pValue < 0.05)) any++;
  }
  return any / runs;
}

/** The mistake: replies for the unit where a campaign is. Share of companies told at the end that industries differ. */
export function simulateRepliesForUnits(runs: number, spec: CompanySpec, seed: number): number {
  let any = 0;
  for (let run = 0; run < runs; run++) {
    const tables = countingOf(companyOf(spec, seed + run)).tables();
    const differ = tables.some((table) => {
      const { statistic, degrees } = testPreferences(table);
      return degrees > 0 && chiSquareSurvival(statistic, degrees) < FALSE_CLAIM / TESTS;
    });
    if (differ) any++;
  }
  return any / runs;
}

/** Mean adjusted Rand index of planted segments; people outside every segment count as one more group. */
export function simulatePlantedPreferences(runs: number, spec: CompanySpec, seed: number): number {
  let total = 0;
  for (let run = 0; run < runs; run++) {
    const company = companyOf(spec, seed + run);
    const { events, truth } = company;
    const segments = countingOf(company).segments(run);
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

/** Adjusted Rand index of two partitions. */
function adjustedRand(a: readonly number[], b: readonly number[]): number {
  const pairs = (n: number): number => (n * (n - 1)) / 2;
  const count = (keys: readonly string[]): number[] => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()];
  };
  const sum = (values: readonly number[]): number => values.reduce((total, n) => total + pairs(n), 0);
  const joint = sum(count(a.map((x, i) => `${x} ${b[i]}`)));
  const [first, second] = [sum(count(a.map(String))), sum(count(b.map(String)))];
  const chance = (first * second) / pairs(a.length);
  const most = (first + second) / 2;
  return most === chance ? 1 : (joint - chance) / (most - chance);
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

const COPY_PER_TEXT: CompanySpec = { days: 120, sendsPerDay: 250, campaigns: 12, baseRate: 0.06 };
const CHOSEN_PER_TEXT = AIMED.copy?.perCampaign ?? [];
/** Texts of a campaign differ beyond what is known of them, and most of a campaign goes to one industry. */
export const TEXTS_DIFFER: CompanySpec = {
  ...COPY_PER_TEXT,
  copy: { perText: CHOSEN_PER_TEXT, campaignSd: 0.5, textSd: 0.5, aimed: 0.6 },
};
/** Each text suits some industries more than others, for reasons of its own. */
export const TEXTS_SUIT: CompanySpec = {
  ...COPY_PER_TEXT,
  copy: { perText: CHOSEN_PER_TEXT, campaignSd: 0.5, textSd: 0.5, industrySd: 0.7 },
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
    atMost(
      s,
      'texts of a campaign that differ (sd .5), most of it to one industry: share ever shown a segment in 3 looks',
      simulateNoPreference(Math.max(8, Math.round(150 * scale)), TEXTS_DIFFER, 40, 8_610_000),
      0.05,
    ),
    mustFail(
      atMost(
        s,
        'texts of all campaigns compared, week by week: the same',
        simulateNoPreference(
          Math.max(8, Math.round(40 * scale)),
          TEXTS_DIFFER,
          40,
          8_610_000,
          weekForCampaign,
        ),
        0.05,
      ),
    ),
    atMost(
      s,
      'texts that each suit some industries (sd .7): share ever shown a segment in 3 looks',
      simulateNoPreference(Math.max(8, Math.round(150 * scale)), TEXTS_SUIT, 40, 8_620_000),
      0.05,
    ),
    mustFail(
      atMost(
        s,
        'replies for the unit instead of campaigns: share told that industries differ',
        simulateRepliesForUnits(Math.max(8, Math.round(40 * scale)), TEXTS_SUIT, 8_620_000),
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
