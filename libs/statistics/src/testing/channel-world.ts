import type { ChannelCounts } from '../drift/channel-counts';
import { exp } from '../numerics/exp';
import { log1p } from '../numerics/log1p';
import { expit, logit } from '../numerics/logistic';
import { drawBinomial, drawNormal, drawPoisson, type Rng } from '../random';

/** A channel of known truth, as counts; `{ days, sendsPerDay }` is a steady one. Effects are on the logit. */
export interface ChannelWorldSpec {
  readonly days: number;
  readonly sendsPerDay: number;
  /** default 0.05 */
  readonly baseRate?: number;
  /** campaigns that run at once; default 6 */
  readonly campaigns?: number;
  /** campaigns run until the end; by default for 15 to 45 days */
  readonly campaignsLast?: boolean;
  readonly campaignSd?: number;
  /** the counts carry no campaign */
  readonly campaignsUnnamed?: boolean;
  /** first days, imported from elsewhere, whose counts carry no campaign; default 0 */
  readonly importedDays?: number;
  readonly daySd?: number;
  /** recipients differ; those who answer get no further step */
  readonly recipientSd?: number;
  readonly trendPerYear?: number;
  readonly walkSdPerYear?: number;
  /** from a day on: for everybody, for one position, or for the campaign that ran first */
  readonly changes?: readonly {
    readonly day: number;
    readonly logOdds: number;
    readonly position?: number;
    readonly firstCampaign?: boolean;
  }[];
  readonly volume?: { readonly day: number; readonly factor: number };
  /** from this day on the shares of the positions are turned round */
  readonly mixTurnsOn?: number;
}

export interface ChannelWorld {
  /** send days from 0 */
  readonly counts: ChannelCounts;
  readonly positions: number;
  readonly days: number;
  /** true reply rate of a position's sends on a day, at that day's campaigns, averaged over the effects of days */
  rate(day: number, position: number): number;
}

const SHARES = [0.3, 0.25, 0.2, 0.12, 0.08, 0.05] as const;
const STEP_SHARES = [0.5, 0.3, 0.2] as const;
const STEP_EFFECTS = [0.2, 0, -0.2] as const;
const POSITION_SD = 0.4;
const CAMPAIGN_DAYS = 30;

/** Nodes and weights of the standard normal distribution (Gauss-Hermite of order 6, scaled). */
const NORMAL_NODES = [
  [-3.3242574335521193, 0.0025557844020562465],
  [-1.8891758777537107, 0.088615746041914523],
  [-0.61670659019259423, 0.40882846955602925],
  [0.61670659019259423, 0.40882846955602925],
  [1.8891758777537107, 0.088615746041914523],
  [3.3242574335521193, 0.0025557844020562465],
] as const;

/** Reply rate of a step's recipients: those who have not answered an earlier one. */
function stepRate(logOdds: number, step: number, recipientSd: number): number {
  if (recipientSd === 0) return expit(logOdds);
  let [replies, left] = [0, 0];
  for (const [node, weight] of NORMAL_NODES) {
    const rate = expit(logOdds + recipientSd * node);
    const silent = weight * exp(step * log1p(-rate));
    left += silent;
    replies += silent * rate;
  }
  return replies / left;
}

/** The same, averaged over the effects of days. */
function usualRate(logOdds: number, step: number, recipientSd: number, daySd: number): number {
  if (daySd === 0) return stepRate(logOdds, step, recipientSd);
  return NORMAL_NODES.reduce(
    (mean, [node, weight]) => mean + weight * stepRate(logOdds + daySd * node, step, recipientSd),
    0,
  );
}

interface Campaign {
  readonly id: number;
  readonly effect: number;
  readonly lastDay: number;
}

/** Slots in which campaigns follow one another. */
class CampaignSlots {
  readonly running: Campaign[];
  private started = 0;

  constructor(
    private readonly spec: ChannelWorldSpec,
    private readonly rng: Rng,
  ) {
    this.running = Array.from({ length: spec.campaigns ?? 6 }, () => this.start(rng.next() * CAMPAIGN_DAYS));
  }

  advance(day: number): void {
    this.running.forEach(({ lastDay }, slot) => {
      if (lastDay < day) this.running[slot] = this.start(day + CAMPAIGN_DAYS * (0.5 + this.rng.next()));
    });
  }

  private start(lastDay: number): Campaign {
    const effect = (this.spec.campaignSd ?? 0) * drawNormal(this.rng);
    return { id: ++this.started, effect, lastDay: this.spec.campaignsLast ? Infinity : lastDay };
  }
}

/** Columns that grow row by row. */
class CountRows {
  private readonly day: number[] = [];
  private readonly position: number[] = [];
  private readonly step: number[] = [];
  private readonly campaign: number[] = [];
  private readonly n: number[] = [];
  private readonly y: number[] = [];

  push(day: number, position: number, step: number, campaign: number, n: number, y: number): void {
    this.day.push(day);
    this.position.push(position);
    this.step.push(step);
    this.campaign.push(campaign);
    this.n.push(n);
    this.y.push(y);
  }

  columns(): ChannelCounts {
    const { length: size } = this.day;
    const whole = (values: readonly number[]): Int32Array => filled(new Int32Array(size), values);
    const small = (values: readonly number[]): Uint8Array => filled(new Uint8Array(size), values);
    return {
      ...{ size, day: whole(this.day), position: small(this.position), step: small(this.step) },
      ...{ campaign: whole(this.campaign), n: whole(this.n), y: whole(this.y) },
    };
  }
}

/** Typed arrays copy arrays that they are given later without asking each for an iterator. */
function filled<Column extends Int32Array | Uint8Array>(column: Column, values: readonly number[]): Column {
  column.set(values);
  return column;
}

/** Usual rates of cells, which stay as they are on most days. */
class UsualRates {
  private readonly logOdds: number[] = [];
  private readonly rates: number[] = [];

  constructor(
    private readonly recipientSd: number,
    private readonly daySd: number,
  ) {}

  of(cell: number, logOdds: number, step: number): number {
    if (this.logOdds[cell] !== logOdds) {
      this.logOdds[cell] = logOdds;
      this.rates[cell] = usualRate(logOdds, step, this.recipientSd, this.daySd);
    }
    return this.rates[cell] as number;
  }
}

function changedBy(spec: ChannelWorldSpec, day: number, position: number, campaign: number): number {
  let sum = 0;
  for (const change of spec.changes ?? []) {
    if (day < change.day) continue;
    if (change.position !== undefined && change.position !== position) continue;
    if (change.firstCampaign && campaign !== 1) continue;
    sum += change.logOdds;
  }
  return sum;
}

/**
 * Counts of one channel with rotating campaigns, effects of campaigns, days and recipients, slow and sudden changes.
 *
 * Shapes: one row per send day, position, step and campaign that had sends, sorted by day; days from 0.
 * @param spec - how long and how much; what differs and what changes
 * @param rng - source of randomness
 *
 * @example
 * channelWorld({ days: 3, sendsPerDay: 40 }, seededRng(1)).positions; // 6
 */
export function channelWorld(spec: ChannelWorldSpec, rng: Rng): ChannelWorld {
  const { days, daySd = 0, recipientSd = 0, importedDays = 0 } = spec;
  const positions = SHARES.length;
  const base = logit(spec.baseRate ?? 0.05);
  const positionEffects = SHARES.map(() => POSITION_SD * drawNormal(rng));
  const slots = new CampaignSlots(spec, rng);
  const truth = new Float64Array(days * positions);
  const rows = new CountRows();
  const usual = new UsualRates(recipientSd, daySd);
  let walk = 0;
  for (let day = 0; day < days; day++) {
    let cell = 0;
    walk += ((spec.walkSdPerYear ?? 0) / Math.sqrt(365)) * drawNormal(rng);
    const level = base + walk + ((spec.trendPerYear ?? 0) * day) / 365;
    const dayEffect = daySd * drawNormal(rng);
    slots.advance(day);
    const sends = spec.sendsPerDay * (spec.volume && day >= spec.volume.day ? spec.volume.factor : 1);
    const turned = spec.mixTurnsOn !== undefined && day >= spec.mixTurnsOn;
    for (let position = 0; position < positions; position++) {
      const share = SHARES[turned ? positions - 1 - position : position] as number;
      STEP_SHARES.forEach((stepShare, step) => {
        for (const { id, effect } of slots.running) {
          const part = stepShare / slots.running.length;
          const logOdds =
            level +
            (positionEffects[position] as number) +
            (STEP_EFFECTS[step] as number) +
            effect +
            changedBy(spec, day, position, id);
          const at = day * positions + position;
          truth[at] = (truth[at] as number) + part * usual.of(cell++, logOdds, step);
          const n = drawPoisson(rng, sends * share * part);
          if (n === 0) continue;
          const y = drawBinomial(rng, n, stepRate(logOdds + dayEffect, step, recipientSd));
          rows.push(day, position, step, spec.campaignsUnnamed || day < importedDays ? 0 : id, n, y);
        }
      });
    }
  }
  return {
    counts: rows.columns(),
    positions,
    days,
    rate: (day, position) => truth[day * positions + position] as number,
  };
}
