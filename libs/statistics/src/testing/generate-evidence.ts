import {
  type EvidenceCounts,
  type CompanionPair,
  type CompanionStratum,
  type EvidenceCell,
  type EvidenceDesign,
  TEXT_BINS,
  type VariantCounts,
} from '../evidence';
import { seededRng } from '../random';
import { MessageGenerator, type MessageTable } from './evidence-messages';
import { type EvidenceWorld, WORLD_DIMENSIONS, worldDesign } from './evidence-world';

export const DAYS_PER_FORTNIGHT = 14;
/** More than there are steps, positions or channels. */
const MOST = 8;
const CHANNEL_OFFSET = WORLD_DIMENSIONS.findIndex(({ kind }) => kind === 'channel');

/** A company's messages, counted as the service counts them. Fortnights are numbered from zero. */
export class EvidenceCompany {
  readonly design: EvidenceDesign = worldDesign();
  readonly sends: number;
  readonly replies: number;
  /** number of fortnights with messages */
  readonly fortnights: number;
  /** messages of each campaign, by their place in the table */
  private readonly messagesOf: number[][] = [];

  constructor(
    private readonly table: MessageTable,
    /** planted log odds ratio of the first variant, per campaign */
    readonly variantEffects: readonly number[],
  ) {
    this.sends = table.day.length;
    this.replies = table.reply.reduce((a, b) => a + b, 0);
    this.fortnights = this.sends === 0 ? 0 : 1 + this.fortnightOf(this.sends - 1);
    variantEffects.forEach(() => this.messagesOf.push([]));
    table.campaign.forEach((campaign, i) => this.messagesOf[campaign]?.push(i));
  }

  get campaigns(): number {
    return this.messagesOf.length;
  }

  /** True if a campaign sends in a fortnight. */
  sendsIn(campaign: number, fortnight: number): boolean {
    return (this.messagesOf[campaign] ?? []).some((i) => this.fortnightOf(i) === fortnight);
  }

  /** Counts of one campaign up to a fortnight, that one included. */
  campaignCounts(campaign: number, through: number = this.fortnights): EvidenceCounts {
    const { table, design } = this;
    const cells = new Map<number, number[]>();
    const bins = new Int32Array(design.width * TEXT_BINS);
    const texts = new Map<number, number>();
    for (const i of this.messagesOf[campaign] ?? []) {
      if (this.fortnightOf(i) > through) break;
      const key = this.cellKey(i);
      const cell = cells.get(key);
      if (cell) cell.push(i);
      else cells.set(key, [i]);
      const text = table.text[i] as number;
      texts.set(text, (texts.get(text) ?? 0) + 1);
      this.countBins(i, bins);
    }
    return {
      campaign,
      cells: [...cells.values()].map((messages) => this.cellOf(messages)),
      bins,
      texts: { ids: [...texts.keys()], n: [...texts.values()] },
    };
  }

  /** Counts of all campaigns that have sent up to a fortnight. */
  counts(through: number = this.fortnights): EvidenceCounts[] {
    return this.messagesOf
      .map((_, campaign) => this.campaignCounts(campaign, through))
      .filter(({ cells }) => cells.length > 0);
  }

  /** Strata of a pair of claims: one per cell and level of the stronger dimension. */
  companionStrata({ code, within }: CompanionPair, through: number = this.fortnights): CompanionStratum[] {
    const { table } = this;
    const own = this.design.codes.find((c) => c.code === code);
    const [dimension, stronger] = [own?.dimension, within].map((name) =>
      WORLD_DIMENSIONS.findIndex((d) => d.name === name),
    ) as [number, number];
    const strata = new Map<number, { -readonly [K in keyof CompanionStratum]: number }>();
    for (let i = 0; i < this.sends && this.fortnightOf(i) <= through; i++) {
      const [campaign, fortnight] = [table.campaign[i] as number, this.fortnightOf(i)];
      const key = this.cellKey(i) * this.design.width + this.levelOf(i, stronger);
      let stratum = strata.get(key);
      if (!stratum) strata.set(key, (stratum = { campaign, fortnight, na: 0, ya: 0, nb: 0, yb: 0 }));
      const reply = table.reply[i] as number;
      if (this.levelOf(i, dimension) === own?.level) {
        stratum.na++;
        stratum.ya += reply;
      } else {
        stratum.nb++;
        stratum.yb += reply;
      }
    }
    return [...strata.values()];
  }

  /** Messages and replies per variant and cell; step by step, as one cell holds one step. */
  variantCounts(through: number = this.fortnights): VariantCounts[] {
    const { table } = this;
    const counts = new Map<string, { -readonly [K in keyof VariantCounts]: VariantCounts[K] }>();
    for (let i = 0; i < this.sends && this.fortnightOf(i) <= through; i++) {
      const [campaign, step] = [table.campaign[i] as number, table.step[i] as number];
      const [position, channel] = [table.position[i] as number, table.channel[i] as number];
      const [variant, fortnight] = [`v${table.variant[i]}`, this.fortnightOf(i)];
      const key = `${campaign} ${variant} ${fortnight} ${step} ${position} ${channel}`;
      let sum = counts.get(key);
      if (!sum)
        counts.set(key, (sum = { campaign, variant, fortnight, step, position, channel, n: 0, y: 0 }));
      sum.n++;
      sum.y += table.reply[i] as number;
    }
    return [...counts.values()];
  }

  private fortnightOf(message: number): number {
    return Math.floor((this.table.day[message] as number) / DAYS_PER_FORTNIGHT);
  }

  /** The cell that a message is counted in, as one number: names would take longer than the counting. */
  private cellKey(message: number): number {
    const { campaign, step, position, channel } = this.table;
    const fortnight = (campaign[message] as number) * this.fortnights + this.fortnightOf(message);
    const stratum = (fortnight * MOST + (step[message] as number)) * MOST + (position[message] as number);
    return stratum * MOST + (channel[message] as number);
  }

  private levelOf(message: number, dimension: number): number {
    return this.table.levels[message * WORLD_DIMENSIONS.length + dimension] as number;
  }

  private countBins(message: number, bins: Int32Array): void {
    const bin = this.table.bin[message] as number;
    for (let d = 0; d < WORLD_DIMENSIONS.length; d++) {
      if (d === CHANNEL_OFFSET && this.table.step[message] !== this.design.firstStep) continue;
      const at = this.levelOf(message, d) * TEXT_BINS + bin;
      bins[at] = (bins[at] as number) + 1;
    }
  }

  private cellOf(messages: readonly number[]): EvidenceCell {
    const { table, design } = this;
    const head = messages[0] as number;
    const [levelN, levelY] = [new Int32Array(design.width), new Int32Array(design.width)];
    let y = 0;
    for (const i of messages) {
      const reply = table.reply[i] as number;
      y += reply;
      for (let d = 0; d < WORLD_DIMENSIONS.length; d++) {
        const level = this.levelOf(i, d);
        levelN[level] = (levelN[level] as number) + 1;
        levelY[level] = (levelY[level] as number) + reply;
      }
    }
    const levels = [...levelN.keys()].filter((level) => (levelN[level] as number) > 0);
    return {
      fortnight: this.fortnightOf(head),
      step: table.step[head] as number,
      position: table.position[head] as number,
      channel: table.channel[head] as number,
      n: messages.length,
      y,
      levels,
      levelN: levels.map((level) => levelN[level] as number),
      levelY: levels.map((level) => levelY[level] as number),
    };
  }
}

/**
 * A company whose messages are known one by one, with effects of campaigns, texts, recipients and days.
 *
 * @param world - what is planted; `{}` has no effect at all
 * @param seed - whole number; the same seed gives the same company
 *
 * @example
 * generateEvidence({ days: 14, sendsPerDay: 30 }, 1).fortnights; // 1
 */
export function generateEvidence(world: EvidenceWorld, seed: number): EvidenceCompany {
  const generator = new MessageGenerator(world, seededRng(seed));
  generator.run();
  return new EvidenceCompany(generator.table, generator.variantEffects);
}
