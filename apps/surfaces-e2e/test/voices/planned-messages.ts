import { type Channel, CHANNELS, DAY_MS, type Outcome } from '@outcomes/contracts';
import type { CompanyKind, PlannedCampaign, Stretch } from './company-kinds';

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
const TITLES = ['VP Sales', 'Head of Marketing', 'Founder', 'Software Engineer', 'Chief Financial Officer'];
const INDUSTRIES = ['Software', 'Logistics', 'Retail'];
const MAX_STEPS = 3;
const DAYS_BETWEEN_STEPS = 4;
/** By how much a direct tone raises the chance of a reply, and another lowers it. */
const TONE_EFFECT = 0.4;
const EFFECT_OF_TASTE = 0.9;

/** A message as it was sent, and what came of it. */
export interface PlannedMessage {
  readonly recipient: string;
  readonly address: string | null;
  readonly channel: Channel;
  readonly campaign: string | null;
  readonly step: number;
  readonly sentAt: number;
  readonly outcome: Outcome;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Chance, as it is drawn for messages. */
export interface Draw {
  readonly chance: (probability: number) => boolean;
  readonly oneOf: <Item>(items: readonly Item[]) => Item;
  readonly upTo: (limit: number) => number;
}

export const drawnFrom = (rng: { next(): number }): Draw => ({
  chance: (probability) => rng.next() < probability,
  oneOf: (items) => items[Math.floor(rng.next() * items.length)] as (typeof items)[number],
  upTo: (limit) => Math.floor(rng.next() * limit),
});

/** Messages of the sequences that begin in a stretch of days. */
export function sequencesOf(
  plan: CompanyKind,
  { from, to, perDay, chance }: Stretch,
  size: number,
  newest: number,
  draw: Draw,
): PlannedMessage[][] {
  const sequences: PlannedMessage[][] = [];
  for (let daysAgo = from; daysAgo >= to; daysAgo -= 1) {
    const expected = perDay * size;
    const starts = Math.floor(expected) + (draw.chance(expected % 1) ? 1 : 0);
    for (let n = 0; n < starts; n += 1) {
      const contact = { id: `contact-${from}-${daysAgo}-${n}`, at: daysAgo * 100 + n };
      const startsAt = newest - daysAgo * DAY_MS - (2 + draw.upTo(9)) * HOUR_MS - n * 7 * MINUTE_MS;
      sequences.push(sequenceOf(plan, contact, startsAt, chance, newest, draw));
    }
  }
  return sequences;
}

/** Messages to one contact until something comes of one, or there is no step left. */
function sequenceOf(
  { withAddress = true, withTitles = true, idsPerAddress = 1, tastesDiffer = false, campaigns }: CompanyKind,
  contact: { readonly id: string; readonly at: number },
  startsAt: number,
  chance: number,
  newest: number,
  draw: Draw,
): PlannedMessage[] {
  const campaign = draw.oneOf(campaigns);
  const person = Math.floor(contact.at / idsPerAddress);
  const address = withAddress ? `person-${person}@company-${person % 30}.example` : null;
  const title = withTitles ? { recipient_position: TITLES[contact.at % TITLES.length] } : {};
  const industry = INDUSTRIES[person % INDUSTRIES.length];
  const effect = !tastesDiffer ? TONE_EFFECT : EFFECT_OF_TASTE * (industry === INDUSTRIES[0] ? 1 : -1);
  const steps = 1 + draw.upTo(MAX_STEPS);
  const messages: PlannedMessage[] = [];
  for (let step = 0; step < steps; step += 1) {
    const sentAt = Math.floor((startsAt + step * DAYS_BETWEEN_STEPS * DAY_MS) / 1_000) * 1_000;
    if (sentAt > newest - 2 * HOUR_MS) break;
    const isDirect = draw.chance(0.5);
    const chanceOfTone = chance * (isDirect ? 1 + effect : 1 - effect);
    const outcome = outcomeOf(campaign, chanceOfTone * 0.8 ** step, draw);
    const whom = {
      recipient: contact.id,
      address,
      title,
      industry,
      isDirect,
    };
    messages.push(message(whom, campaign, step, sentAt, outcome, newest, draw));
    if (outcome !== 'no_response') break;
  }
  return messages;
}

function outcomeOf(
  { bounces = 0.01, optOuts = 0.005 }: PlannedCampaign,
  chance: number,
  draw: Draw,
): Outcome {
  if (draw.chance(bounces)) return 'bounced';
  if (draw.chance(chance)) return 'responded';
  return draw.chance(optOuts) ? 'unsubscribed' : 'no_response';
}

function message(
  whom: {
    recipient: string;
    address: string | null;
    title: object;
    industry: string | undefined;
    isDirect: boolean;
  },
  { id, channel: first, switches = false }: PlannedCampaign,
  step: number,
  sentAt: number,
  outcome: Outcome,
  newest: number,
  draw: Draw,
): PlannedMessage {
  const { recipient, address, title, industry, isDirect } = whom;
  const channel = switches && step % 2 === 1 ? (CHANNELS.find((other) => other !== first) ?? first) : first;
  const outcomeAt = Math.min(sentAt + (1 + draw.upTo(60)) * HOUR_MS, newest - MINUTE_MS);
  const event = {
    channel,
    sequence_step: step,
    recipient_id: recipient,
    ...title,
    industry,
    ...(address !== null && { recipient_email: address }),
    sent_at: new Date(sentAt).toISOString(),
    outcome_at: new Date(outcomeAt).toISOString(),
    outcome,
    tone: isDirect ? 'direct' : 'professional',
    subject: draw.oneOf(['A question about your team?', 'Planning the next quarter', '3 ideas for you']),
    body_excerpt: draw.oneOf(['Would it be worth a chat?', 'No pressure at all: our numbers are 30 % up.']),
    word_count: draw.oneOf([40, 90, 180]),
    metadata: { ...(id !== null && { campaign_id: id }), variant_id: isDirect ? 'direct' : 'calm' },
  };
  return { recipient, address, channel, campaign: id, step, sentAt, outcome, event };
}
