import { TEXT_BINS } from '../evidence';
import { expit, logit } from '../numerics/logistic';
import { drawIndex, drawNormal, drawPoisson, type Rng } from '../random';
import {
  type CopyRegime,
  type EvidenceWorld,
  TEXT_DIMENSIONS,
  WORLD_DIMENSIONS,
  WORLD_OFFSETS,
  worldLevel,
} from './evidence-world';

const STEPS = 3;
const DAYS_BETWEEN_STEPS = 4;
/** Messages that a recipient gets on average. */
const MESSAGES_PER_RECIPIENT = 2.75;
const POSITION_LOG_ODDS: readonly number[] = [0, 0.3, -0.3, 0.1];
const STEP_LOG_ODDS = -0.25;
const SHORTEST_CAMPAIGN = 14;
const [TONE, QUESTION, DAYPART, WEEKDAY, STEP, CHANNEL] = [0, 3, 16, 17, 18, 19];
const WORKING_TONE = 4;

/** Messages as columns: what happened, in the order in which they were sent. */
export interface MessageTable {
  readonly day: number[];
  readonly campaign: number[];
  readonly step: number[];
  readonly position: number[];
  readonly channel: number[];
  readonly variant: number[];
  readonly text: number[];
  readonly bin: number[];
  readonly reply: number[];
  /** one level per dimension and message, as index in the count arrays */
  readonly levels: number[];
}

interface Text {
  readonly id: number;
  readonly bin: number;
  readonly logOdds: number;
  readonly levels: readonly number[];
}

interface Campaign {
  readonly number: number;
  readonly end: number;
  readonly logOdds: number;
  readonly levels: readonly number[];
  readonly texts: readonly Text[];
  readonly variantEffect: number;
}

interface Recipient {
  readonly campaign: Campaign;
  readonly position: number;
  readonly channel: number;
  readonly logOdds: number;
  readonly variant: number;
  readonly step: number;
}

/** Levels of a dimension are chosen once per campaign, per text or per message. */
function chosenPer(copy: CopyRegime, dimension: number): Exclude<CopyRegime, 'mixed'> {
  if (copy !== 'mixed') return copy;
  return dimension < 6 ? 'campaign' : dimension < 11 ? 'template' : 'message';
}

const drawInt = (rng: Rng, below: number): number => Math.floor(rng.next() * below);
const drawLevel = (rng: Rng, dimension: number): number =>
  drawIndex(rng, WORLD_DIMENSIONS[dimension]?.shares ?? []);

/** One company as it sends: recipients enter running campaigns and get up to three messages until they answer. */
export class MessageGenerator {
  readonly table: MessageTable = {
    day: [],
    campaign: [],
    step: [],
    position: [],
    channel: [],
    variant: [],
    text: [],
    bin: [],
    reply: [],
    levels: [],
  };
  /** log odds ratio of the first variant, per campaign */
  readonly variantEffects: number[] = [];
  private readonly world: Required<EvidenceWorld>;
  private readonly effects: Float64Array;
  private readonly shelf: readonly Text[];
  private texts = 0;

  constructor(
    world: EvidenceWorld,
    private readonly rng: Rng,
  ) {
    this.world = { ...DEFAULTS, ...world, edited: world.edited ?? (world.copy === 'mixed' ? 0.3 : 0.1) };
    this.effects = new Float64Array(LEVELS);
    for (const [key, effect] of Object.entries(this.world.effects)) this.effects[worldLevel(key)] = effect;
    this.shelf = Array.from({ length: this.world.library * STEPS }, () => this.writeText());
  }

  run(): void {
    const { days, running, campaigns, sendsPerDay, daySd } = this.world;
    const life = Math.max(SHORTEST_CAMPAIGN, (days * running) / campaigns);
    const lasting = campaigns <= running;
    const live = Array.from({ length: running }, () =>
      this.startCampaign(life * (lasting ? 9 : 0.15 + 0.85 * this.rng.next())),
    );
    const queue: Recipient[][] = Array.from({ length: days }, () => []);
    for (let day = 0; day < days; day++) {
      live.forEach(({ end }, i) => {
        if (end < day) live[i] = this.startCampaign(day + life * (0.7 + 0.6 * this.rng.next()));
      });
      const today = queue[day] as Recipient[];
      const entering = drawPoisson(this.rng, sendsPerDay / MESSAGES_PER_RECIPIENT);
      for (let i = 0; i < entering; i++) today.push(this.enter(live[drawInt(this.rng, running)] as Campaign));
      const shock = daySd * drawNormal(this.rng);
      for (const recipient of today) {
        const answered = this.send(recipient, day, shock);
        if (answered || recipient.step === STEPS - 1) continue;
        queue[day + DAYS_BETWEEN_STEPS]?.push({ ...recipient, step: recipient.step + 1 });
      }
    }
  }

  private drawLevels(): number[] {
    return Array.from({ length: TEXT_DIMENSIONS }, (_, d) => drawLevel(this.rng, d));
  }

  private writeText(): Text {
    const logOdds = this.world.textSd * drawNormal(this.rng);
    return { id: this.texts++, bin: drawInt(this.rng, TEXT_BINS), logOdds, levels: this.drawLevels() };
  }

  private startCampaign(end: number): Campaign {
    const { campaignSd, variants, library, variantEffect } = this.world;
    const texts = Array.from({ length: STEPS * variants }, (_, i) => {
      if (library === 0) return this.writeText();
      const place = library === variants ? i % variants : drawInt(this.rng, library);
      return this.shelf[Math.floor(i / variants) * library + place] as Text;
    });
    const works = variantEffect !== 0 && this.rng.next() < 0.5;
    const number = this.variantEffects.push(works ? variantEffect : 0) - 1;
    return {
      number,
      end,
      logOdds: campaignSd * drawNormal(this.rng),
      levels: this.drawLevels(),
      texts,
      variantEffect: works ? variantEffect : 0,
    };
  }

  private enter(campaign: Campaign): Recipient {
    const { secondChannel, recipientSd, variants } = this.world;
    return {
      campaign,
      step: 0,
      position: drawInt(this.rng, POSITION_LOG_ODDS.length),
      channel: secondChannel > 0 && this.rng.next() < secondChannel ? 1 : 0,
      logOdds: recipientSd > 0 ? recipientSd * drawNormal(this.rng) : 0,
      variant: drawInt(this.rng, variants),
    };
  }

  private levelsOf({ campaign, step, channel }: Recipient, text: Text, day: number): number[] {
    const { copy, companion } = this.world;
    const levels: number[] = [];
    for (let d = 0; d < TEXT_DIMENSIONS; d++) {
      const per = chosenPer(copy, d);
      const chosen = per === 'campaign' ? campaign : text;
      levels.push(per === 'message' ? drawLevel(this.rng, d) : (chosen.levels[d] as number));
    }
    if (companion > 0 && this.rng.next() < companion)
      levels[QUESTION] = levels[TONE] === WORKING_TONE ? 0 : 1;
    levels[DAYPART] = drawLevel(this.rng, DAYPART);
    levels[WEEKDAY] = day % 7;
    levels[STEP] = step;
    levels[CHANNEL] = channel;
    return levels.map((level, d) => (WORLD_OFFSETS[d] as number) + level);
  }

  /** Sends one message; true if it is answered. */
  private send(recipient: Recipient, day: number, shock: number): boolean {
    const { copy, variants, edited, from, until, baseRate } = this.world;
    const { campaign, step, position, variant } = recipient;
    const text = campaign.texts[step * variants + variant] as Text;
    const isOwn = copy === 'message' || this.rng.next() < edited;
    const levels = this.levelsOf(recipient, text, day);
    let logOdds = logit(baseRate) + (POSITION_LOG_ODDS[position] as number) + STEP_LOG_ODDS * step;
    logOdds += campaign.logOdds + recipient.logOdds + shock + (copy === 'message' ? 0 : text.logOdds);
    if (day >= from && day < until) for (const level of levels) logOdds += this.effects[level] as number;
    if (variant === 0) logOdds += campaign.variantEffect;
    const reply = this.rng.next() < expit(logOdds) ? 1 : 0;
    const { table } = this;
    table.day.push(day);
    table.campaign.push(campaign.number);
    table.step.push(step);
    table.position.push(position);
    table.channel.push(recipient.channel);
    table.variant.push(variant);
    table.text.push(isOwn ? this.texts++ : text.id);
    table.bin.push(isOwn ? drawInt(this.rng, TEXT_BINS) : text.bin);
    table.reply.push(reply);
    for (const level of levels) table.levels.push(level);
    return reply === 1;
  }
}

const LEVELS = WORLD_DIMENSIONS.reduce((sum, { levels }) => sum + levels, 0);

const DEFAULTS: Required<EvidenceWorld> = {
  copy: 'message',
  days: 182,
  sendsPerDay: 60,
  campaigns: 40,
  running: 6,
  campaignSd: 0,
  textSd: 0,
  recipientSd: 0,
  daySd: 0,
  effects: {},
  from: 0,
  until: Infinity,
  companion: 0,
  variants: 2,
  variantEffect: 0,
  library: 0,
  baseRate: 0.05,
  edited: 0.1,
  secondChannel: 0,
};
