import { drawUuid } from './draw-uuid';
import { DAY_MS, isoTime } from './iso-time';
import { drawFate, HOUR_MS, HOURS, observe, type TouchFate } from './touch-fate';
import { expit } from '../numerics/logistic';
import { drawIndex, drawPoisson, type Rng, seededRng } from '../random';
import { CampaignCopy, type PlannedCopy } from './campaign-copy';
import { type CompanyModel, planCompany, type PlantedStratum, weekdayOf } from './company-model';
import type { CompanySpec, GeneratedCompany, GeneratedEvent, PlantedDrift } from './company-spec';
import { POSITIONS, POSITION_SHARES } from './dimension-plan';
import {
  ComposedMessages,
  inventRecipient,
  type MessageFeatures,
  type Recipient,
  titleFor,
} from './message-text';

const CHANNELS = ['email', 'linkedin'] as const;
const INDUSTRIES = ['software', 'manufacturing', 'retail', 'health', 'logistics'] as const;
const STEP_GAP_DAYS = 3;
const MAX_STEPS = 4;
const DEFAULT_CAMPAIGNS = 3;
/** A recipient who does not answer gets four touches, one who does fewer: about 3.7 on average. */
const TOUCHES_PER_RECIPIENT = 3.7;
const SEGMENT_LOG_OR = 0.8;
const SEGMENT_TONES = ['direct', 'conversational', 'professional', 'empathetic', 'questioning'] as const;
const SEGMENT_DAYPARTS = ['morning', 'afternoon', 'evening', 'midday', 'early'] as const;

interface Prospect extends Recipient {
  readonly channel: number;
  readonly position: number;
  readonly title: string;
  readonly segment: number;
  readonly industry: string;
  /** counted from zero */
  readonly campaign: number;
  step: number;
  /** when the recipient left the sequence: replied, bounced or unsubscribed */
  leftAtMs: number;
}

class CompanyGenerator {
  private readonly events: { sentMs: number; event: GeneratedEvent }[] = [];
  private readonly features = new Map<string, MessageFeatures>();
  private readonly armSums = new Map<string, { sends: number; chance: number }>();
  private readonly segmentMembers: string[][];
  private readonly strata: ReadonlyMap<string, PlantedStratum>;
  private readonly queue = new Map<number, Prospect[]>();
  private prospects = 0;
  private pending = 0;
  private readonly startDay: number;
  private readonly days: number;
  private readonly medians: { readonly email: number; readonly linkedin: number };
  private readonly endMs: number;
  private readonly campaigns: number;
  private readonly copy: CampaignCopy | undefined;
  private readonly messages = new ComposedMessages();

  constructor(
    private readonly spec: CompanySpec,
    private readonly model: CompanyModel,
    private readonly rng: Rng,
  ) {
    this.startDay = spec.startDay ?? 20_000;
    this.days = spec.days ?? 60;
    this.medians = spec.medianReplyDays ?? { email: 1.2, linkedin: 2.5 };
    this.endMs = (this.startDay + this.days) * DAY_MS - 1;
    this.segmentMembers = Array.from({ length: spec.segments ?? 0 }, () => []);
    this.campaigns = spec.campaigns ?? DEFAULT_CAMPAIGNS;
    const size = { campaigns: this.campaigns, steps: MAX_STEPS, industries: INDUSTRIES };
    this.copy = spec.copy && new CampaignCopy(spec.copy, model, size, rng);
    this.strata = new Map(model.strata.map((s) => [`${s.key.channel} ${s.key.step} ${s.key.position}`, s]));
  }

  run(): GeneratedCompany {
    // Sequences that began before the first day, so that day one already has later steps.
    for (let day = -STEP_GAP_DAYS * (MAX_STEPS - 1); day < this.days; day++) {
      this.addProspects(day);
      for (const prospect of this.queue.get(day) ?? []) this.touch(prospect, day);
      this.queue.delete(day);
    }
    this.events.sort((a, b) => a.sentMs - b.sentMs || (a.event.event_id < b.event.event_id ? -1 : 1));
    return { events: this.events.map(({ event }) => event), truth: this.truth() };
  }

  private drift<K extends PlantedDrift['kind']>(
    kind: K,
    day: number,
  ): Extract<PlantedDrift, { kind: K }> | undefined {
    const { drift } = this.spec;
    return drift && drift.kind === kind && day >= drift.day
      ? (drift as Extract<PlantedDrift, { kind: K }>)
      : undefined;
  }

  private addProspects(day: number): void {
    const weekday = this.model.dimensions.find(({ byDay }) => byDay);
    const busy = weekday ? 7 * (weekday.shares[weekdayOf(this.startDay + day)] as number) : 1;
    const volume = this.drift('volume', day)?.factor ?? 1;
    const count = drawPoisson(
      this.rng,
      ((this.spec.sendsPerDay ?? 60) / TOUCHES_PER_RECIPIENT) * busy * volume,
    );
    const mix = this.drift('mix', day);
    const shares = POSITION_SHARES.map((share, p) =>
      mix && POSITIONS[p] === mix.position ? share * mix.factor : share,
    );
    for (let i = 0; i < count; i++) this.schedule(this.newProspect(shares), day);
  }

  private newProspect(positionShares: readonly number[]): Prospect {
    const { rng } = this;
    const position = drawIndex(rng, positionShares);
    const channelShares = this.model.dimensions.find(({ stratumPart }) => stratumPart === 'channel')
      ?.shares ?? [1];
    const recipient = inventRecipient(this.prospects++, rng);
    const segment = this.segmentMembers.length > 0 ? Math.floor(rng.next() * this.segmentMembers.length) : -1;
    this.segmentMembers[segment]?.push(recipient.id);
    const group = segment >= 0 ? segment : Math.floor(rng.next() * INDUSTRIES.length);
    const prospect = {
      ...recipient,
      channel: drawIndex(rng, channelShares),
      position,
      title: titleFor(POSITIONS[position] as string, rng),
      segment,
      industry: INDUSTRIES[group % INDUSTRIES.length] as string,
      campaign: Math.floor(rng.next() * this.campaigns),
      step: 0,
      leftAtMs: Infinity,
    };
    const aimed = this.spec.copy?.aimed;
    if (!aimed || rng.next() >= aimed) return prospect;
    return { ...prospect, industry: INDUSTRIES[prospect.campaign % INDUSTRIES.length] as string };
  }

  private schedule(prospect: Prospect, day: number): void {
    const waiting = this.queue.get(day);
    if (waiting) waiting.push(prospect);
    else this.queue.set(day, [prospect]);
  }

  private chooseFeatures(
    stratum: PlantedStratum,
    weekday: number,
    copy: PlannedCopy | undefined,
  ): { features: Record<string, string>; logOdds: number } {
    const features: Record<string, string> = {};
    let logOdds = stratum.logOdds + (copy?.logOdds ?? 0);
    this.model.dimensions.forEach(({ name, levels, stratumPart, byDay }, d) => {
      const planned = copy?.levels[name];
      const level =
        planned !== undefined
          ? levels.indexOf(planned)
          : byDay
            ? weekday
            : stratumPart
              ? stratum.key[stratumPart]
              : drawIndex(this.rng, stratum.levelShares[d] as Float64Array);
      features[name] = levels[level] as string;
      logOdds += this.model.levelLogOr[(this.model.offsets[d] as number) + level] as number;
    });
    return { features, logOdds };
  }

  private touch(prospect: Prospect, day: number): void {
    const { rng } = this;
    const stepBucket = Math.min(prospect.step, 2);
    const stratum = this.strata.get(
      `${prospect.channel} ${stepBucket} ${prospect.position}`,
    ) as PlantedStratum;
    const copy = this.copy?.pick(prospect.campaign, prospect.step);
    const { features, logOdds: base } = this.chooseFeatures(stratum, weekdayOf(this.startDay + day), copy);
    const segmentFit =
      prospect.segment < 0
        ? 0
        : (features.tone === SEGMENT_TONES[prospect.segment % SEGMENT_TONES.length] ? SEGMENT_LOG_OR : 0) +
          (features.daypart === SEGMENT_DAYPARTS[prospect.segment % SEGMENT_DAYPARTS.length]
            ? SEGMENT_LOG_OR
            : 0);
    const industryFit = copy?.industryLogOdds.get(prospect.industry) ?? 0;
    const chance = expit(base + segmentFit + industryFit + (this.drift('rate', day)?.logOddsShift ?? 0));
    const channel = CHANNELS[prospect.channel] as (typeof CHANNELS)[number];
    const [from, to] = HOURS[features.daypart ?? 'morning'] ?? [9, 12];
    const sentMs = Math.floor((this.startDay + day) * DAY_MS + (from + rng.next() * (to - from)) * HOUR_MS);
    if (sentMs >= prospect.leftAtMs) return;
    const bounceRate = channel === 'email' ? (this.spec.bounceRate ?? 0.015) : 0;
    const unsubscribeRate = this.spec.unsubscribeRate ?? 0.004;
    const rates = {
      replyChance: chance,
      bounceRate,
      unsubscribeRate,
      medianReplyDays: this.medians[channel],
    };
    const fate = drawFate(sentMs, rates, rng);
    if (day >= 0) {
      this.record(prospect, channel, features, sentMs, fate, copy);
      this.countArm(
        channel,
        POSITIONS[prospect.position] as string,
        chance * (1 - bounceRate - unsubscribeRate),
      );
    }
    prospect.step++;
    prospect.leftAtMs = Math.min(prospect.leftAtMs, fate.endMs);
    if (prospect.step < MAX_STEPS) this.schedule(prospect, day + STEP_GAP_DAYS);
  }

  private countArm(channel: string, position: string, chance: number): void {
    const key = `${channel} ${position}`;
    const sums = this.armSums.get(key);
    if (sums) {
      sums.sends++;
      sums.chance += chance;
    } else this.armSums.set(key, { sends: 1, chance });
  }

  private record(
    prospect: Prospect,
    channel: 'email' | 'linkedin',
    features: MessageFeatures,
    sentMs: number,
    fate: TouchFate,
    copy: PlannedCopy | undefined,
  ): void {
    const { rng } = this;
    const { outcome, outcomeMs, stillToCome } = observe(fate, sentMs, channel, this.endMs);
    if (stillToCome) this.pending++;
    const answered = outcome === 'responded';
    const message = this.messages.compose(features, prospect, rng, copy?.seed);
    const eventId = drawUuid(rng);
    this.features.set(eventId, features);
    const event: GeneratedEvent = {
      event_id: eventId,
      channel,
      sequence_step: prospect.step,
      recipient_id: prospect.id,
      recipient_email: prospect.email,
      recipient_position: prospect.title,
      sent_at: isoTime(sentMs),
      outcome_at: isoTime(outcomeMs),
      outcome,
      tone: features.tone ?? 'professional',
      word_count: message.wordCount,
      subject: message.subject,
      body_excerpt: message.body.slice(0, 200),
      ...(rng.next() < (this.spec.bodyShare ?? 0) ? { body: message.body } : {}),
      industry: prospect.industry,
      metadata: {
        campaign_id: `campaign-${1 + prospect.campaign}`,
        opened: answered || rng.next() < 0.35,
        meeting_booked: answered && rng.next() < 0.25,
      },
    };
    this.events.push({ sentMs, event });
  }

  private truth(): GeneratedCompany['truth'] {
    return {
      effects: Object.fromEntries(Object.entries(this.spec.effects ?? {}).filter(([, logOr]) => logOr !== 0)),
      strata: this.model.strata,
      arms: [...this.armSums]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { sends, chance }]) => {
          const [channel, position] = key.split(' ') as [string, string];
          return { channel, position, sends, rate: chance / sends };
        }),
      drift: this.spec.drift ?? null,
      medianReplyDays: this.medians,
      segments: this.segmentMembers.map((recipientIds, s) => ({
        industry: INDUSTRIES[s % INDUSTRIES.length] as string,
        preferredTone: SEGMENT_TONES[s % SEGMENT_TONES.length] as string,
        preferredDaypart: SEGMENT_DAYPARTS[s % SEGMENT_DAYPARTS.length] as string,
        recipientIds,
      })),
      repliesStillToCome: this.pending,
      features: this.features,
    };
  }
}

/**
 * A synthetic company with planted truth: outcome events in the wire form of the interface.
 *
 * Recipients get up to four touches three days apart and leave when they reply, bounce or unsubscribe.
 * Feature choice depends on step and position (confounding), replies depend on stratum, planted odds
 * ratios, segment and drift, and arrive after a delay; those still to come on the last day are
 * `no_response` so far.
 *
 * @param spec - what to plant; `{}` for a plain company
 * @param seed - whole number; the same seed gives the same bytes
 * @throws StatsDomainError with code `range`
 *
 * @example
 * generateCompany({ days: 5, sendsPerDay: 20 }, 7).events.length > 50; // true
 */
export function generateCompany(spec: CompanySpec, seed: number): GeneratedCompany {
  const rng = seededRng(seed);
  return new CompanyGenerator(spec, planCompany(spec, rng), rng).run();
}
