import { DAY_MS } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';
import type { TenantScope } from '@outcomes/tenancy';
import type { OptOutServices } from './opt-out-company';

const TITLES = ['VP Sales', 'Chief Executive Officer', 'Marketing Manager', 'Software Engineer', 'person'];
const INDUSTRIES = ['Software', 'Logistics', 'Retail'];
/** What the services take at once. */
const MAX_EVENTS = 500;

interface History {
  /** Messages a day, and between which days before now they were sent. */
  readonly perDay: number;
  readonly days: readonly [from: number, to: number];
  readonly channels: readonly string[];
  readonly campaigns: readonly string[];
  readonly withAddress: boolean;
  /** Chance of a reply, by days before now and by whether the text is direct. */
  readonly chance: (daysAgo: number, isDirect: boolean) => number;
}

const steady = (_daysAgo: number, isDirect: boolean) => (isDirect ? 0.22 : 0.11);
const EVERYTHING: History = {
  perDay: 12,
  days: [170, 1],
  channels: ['email', 'linkedin'],
  campaigns: ['spring', 'summer', 'autumn', 'winter'],
  withAddress: true,
  chance: steady,
};

/** One company for each case that a reader of answers has to be ready for. */
const CASES: Readonly<Record<string, History | undefined>> = {
  none: undefined,
  tiny: { ...EVERYTHING, perDay: 1, days: [8, 2], campaigns: ['spring'] },
  rich: EVERYTHING,
  'no-e-mail': { ...EVERYTHING, perDay: 5, withAddress: false },
  'linkedin-only': { ...EVERYTHING, perDay: 5, channels: ['linkedin'], withAddress: false },
  'old-campaign': { ...EVERYTHING, perDay: 5, days: [430, 370], campaigns: ['spring'] },
  'after-a-drift': {
    ...EVERYTHING,
    perDay: 30,
    days: [130, 1],
    channels: ['email'],
    chance: (daysAgo, isDirect) => (daysAgo > 60 ? 1.5 : 0.35) * steady(daysAgo, isDirect),
  },
};
export const GOLDEN_CASES = Object.keys(CASES);

/** A campaign and a contact of every company that has any. */
export const GOLDEN_CAMPAIGN = 'spring';
export const GOLDEN_CONTACT = 'contact-3';

/** Companies of all cases, with what they sent up to `now` counted and analysed: once on the way, and at the end. */
export async function goldenCompanies(
  services: OptOutServices,
  now: number,
): Promise<ReadonlyMap<string, TenantScope>> {
  const companies = new Map<string, TenantScope>();
  for (const [name, history] of Object.entries(CASES)) {
    const scope = await services.newCompany();
    companies.set(name, scope);
    if (!history) continue;
    const events = eventsOf(history, now);
    const isEarly = ({ outcome_at }: { outcome_at: string }) => Date.parse(outcome_at) < now - 45 * DAY_MS;
    for (const [at, part] of [
      [now - 45 * DAY_MS, events.filter(isEarly)],
      [now, events.filter((event) => !isEarly(event))],
    ] as const) {
      services.now = at;
      for (let from = 0; from < part.length; from += MAX_EVENTS)
        await services.send(scope, part.slice(from, from + MAX_EVENTS));
      await services.process(scope);
      if (part.length > 0) await services.analyse(scope);
    }
  }
  return companies;
}

function eventsOf(
  { perDay, days: [from, to], channels, campaigns, withAddress, chance }: History,
  now: number,
) {
  const rng = seededRng(20_260_630);
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(rng.next() * items.length)] as Item;
  return Array.from({ length: (from - to) * perDay }, (_, at) => {
    const daysAgo = from - Math.floor(at / perDay);
    const contact = Math.floor(at / 3);
    const isDirect = rng.next() < 0.5;
    const sentAt = now - daysAgo * DAY_MS - Math.floor(rng.next() * 8) * 3_600_000;
    const outcome =
      rng.next() < chance(daysAgo, isDirect)
        ? 'responded'
        : oneOf([...Array<string>(40).fill('no_response'), 'bounced', 'unsubscribed']);
    return {
      channel: oneOf(channels),
      sequence_step: at % 3,
      recipient_id: `contact-${contact}`,
      recipient_position: TITLES[contact % TITLES.length],
      industry: INDUSTRIES[contact % INDUSTRIES.length],
      ...(withAddress && { recipient_email: `contact-${contact}@company-${contact % 40}.example` }),
      sent_at: new Date(sentAt).toISOString(),
      outcome_at: new Date(Math.min(sentAt + 6 * 3_600_000, now - 60_000)).toISOString(),
      outcome,
      tone: isDirect ? 'direct' : 'professional',
      subject: oneOf(['A question about your team?', 'Planning the next quarter', '3 ideas for you']),
      body_excerpt: oneOf([
        'Would it be worth a chat?',
        'No pressure at all: here are our numbers, 30 % up.',
      ]),
      word_count: oneOf([40, 90, 180]),
      metadata: {
        campaign_id: oneOf(campaigns),
        variant_id: `${isDirect ? 'direct' : 'calm'}-${at % 6}`,
        opened: rng.next() < 0.4,
      },
    };
  });
}
