import { type Channel, DAY_MS } from '@outcomes/contracts';
import { seededRng } from '@outcomes/statistics';

/** Sends of one channel over some days, at one reply rate. */
interface Stretch {
  readonly channel: Channel;
  /** Days before the end of the world. */
  readonly from: number;
  readonly to: number;
  readonly sendsPerDay: number;
  readonly rate: number;
}

export interface World {
  readonly seed: number;
  /** Days between the last message and the reading. */
  readonly quietDays: number;
  readonly stretches: readonly Stretch[];
}

const email = (from: number, to: number, sendsPerDay: number, rate: number): Stretch => ({
  ...{ channel: 'email', from, to, sendsPerDay, rate },
});
const linkedin = (from: number, to: number, sendsPerDay: number, rate: number): Stretch => ({
  ...{ channel: 'linkedin', from, to, sendsPerDay, rate },
});

/** Companies as they may be when a run reads them. */
export const WORLDS = {
  'nothing ever changed': {
    seed: 1,
    quietDays: 0,
    stretches: [email(100, 0, 14, 0.2), linkedin(100, 0, 7, 0.3)],
  },
  'email fell of late': {
    ...{ seed: 2, quietDays: 0 },
    stretches: [email(110, 41, 16, 0.3), email(40, 0, 16, 0.11), linkedin(110, 0, 7, 0.3)],
  },
  'linkedin rose of late': {
    ...{ seed: 3, quietDays: 0 },
    stretches: [email(110, 0, 12, 0.2), linkedin(110, 46, 14, 0.08), linkedin(45, 0, 14, 0.3)],
  },
  'email fell, and hardly anybody answers since': {
    ...{ seed: 4, quietDays: 0 },
    stretches: [email(100, 31, 14, 0.3), email(30, 0, 14, 0.005), linkedin(100, 0, 7, 0.3)],
  },
  'email fell long ago': {
    seed: 5,
    quietDays: 0,
    stretches: [email(150, 91, 14, 0.35), email(90, 0, 14, 0.12)],
  },
  'ten days old': { seed: 6, quietDays: 0, stretches: [email(10, 0, 30, 0.2)] },
  'silent for nine days': { seed: 7, quietDays: 9, stretches: [email(100, 0, 14, 0.2)] },
  'of sixteen years ago': {
    ...{ seed: 8, quietDays: 16 * 365 },
    stretches: [email(110, 41, 16, 0.3), email(40, 0, 16, 0.11)],
  },
} as const satisfies Readonly<Record<string, World>>;
export type WorldName = keyof typeof WORLDS;

/** A campaign of its own on each channel, and one that uses both. */
export const campaignOf = (channel: Channel, n: number): string => (n % 3 === 0 ? 'both' : `only-${channel}`);
const TITLES = ['VP Sales', 'Head of Marketing', 'Founder', 'person'];

/** Events of a world as a caller sends them, silence included, oldest stretch first. */
export function eventsOf({ seed, quietDays, stretches }: World, nowMs: number): Record<string, unknown>[] {
  const rng = seededRng(seed);
  const end = nowMs - quietDays * DAY_MS - DAY_MS / 4;
  return stretches.flatMap(({ channel, from, to, sendsPerDay, rate }) =>
    Array.from({ length: (from - to + 1) * sendsPerDay }, (_, n) => {
      const sentAt = end - (from - Math.floor(n / sendsPerDay)) * DAY_MS - n * 1_000;
      return {
        channel,
        sequence_step: 0,
        recipient_id: `${channel}-${from}-${n}`,
        recipient_position: TITLES[n % TITLES.length],
        sent_at: new Date(sentAt).toISOString(),
        outcome_at: new Date(sentAt + DAY_MS / 8).toISOString(),
        outcome: rng.next() < rate ? 'responded' : 'no_response',
        tone: rng.next() < 0.5 ? 'direct' : 'professional',
        metadata: { campaign_id: campaignOf(channel, n) },
      };
    }),
  );
}
