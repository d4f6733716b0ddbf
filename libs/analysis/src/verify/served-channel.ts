import {
  type BanditDocument,
  type ChannelDrift,
  CHANNELS,
  DAY_MS,
  type DriftDocument,
  MATURITY_DAYS,
  POSITIONS,
} from '@outcomes/contracts';
import { campaignKeyOf, NO_CAMPAIGN } from '@outcomes/persistence';
import type { ChannelCounts } from '@outcomes/statistics';
import type { ChannelWorld } from '@outcomes/statistics/testing';
import type { ArmSums } from '../arms/arm-counts';
import { banditDocument } from '../arms/bandit-document';
import { analyseChannel } from '../changes/analyse-channel';
import {
  NEW_CHANNEL,
  type ChannelDays,
  type ChannelHistory,
  type ChannelState,
  type KeptChange,
} from '../changes/channel-history';
import { CohortTable } from '../cohorts/cohort-table';
import { driftDocument } from '../drift/drift-document';

const EMAIL = CHANNELS.indexOf('email');

/** Documents of one day, as a run leaves them. */
export interface ServedDay {
  readonly bandit: BanditDocument;
  readonly drift: ChannelDrift;
}

/** Mistakes that can be planted: the acceptance lines must fail with them. */
export interface ServingFaults {
  /** nobody looks for changes, so that the memory never begins anew; a run begins from scratch */
  readonly noRestart?: boolean;
  /** all messages are of one campaign */
  readonly noCampaignTerm?: boolean;
}

/** A campaign of a generated company, by the name that it has where names are asked for. */
export const campaignIdOf = (campaign: number): string | null =>
  campaign === NO_CAMPAIGN ? null : `campaign ${campaign}`;

/**
 * A channel of known truth under the run that ships: its counts go through the analysis day by day or in leaps, what
 * one run leaves the next one finds, and what is measured is read from the documents. Only Postgres is left out.
 */
export class ServedChannel {
  private state: ChannelState = NEW_CHANNEL;
  private ledger: readonly KeptChange[] = [];
  private readonly counts: ChannelCounts;
  private readonly campaigns: readonly number[];

  constructor(
    { counts }: Pick<ChannelWorld, 'counts'>,
    private readonly faults: ServingFaults = {},
  ) {
    const campaign = faults.noCampaignTerm ? new Int32Array(counts.size) : counts.campaign;
    this.counts = { ...counts, campaign };
    const indexes = 1 + campaign.reduce((top, index) => Math.max(top, index), 0);
    this.campaigns = Array.from({ length: indexes }, (_, index) => campaignKeyOf(campaignIdOf(index)));
  }

  /** @param asOf - days in ascending order from call to call; everything up to it is known */
  async serve(asOf: number): Promise<ServedDay> {
    const history = this.historyOn(asOf);
    const findings = await analyseChannel(history, {
      observedUntil: asOf,
      // Replies of these companies come on the day itself.
      settledShare: () => 1,
      inTime: () => 1,
      now: new Date(asOf * DAY_MS),
      looks: true,
    });
    const { notes } = findings;
    if (notes !== undefined) {
      const { generation, lookedThrough, memory, recountedAt, appended } = notes;
      this.ledger = generation === this.state.generation ? [...this.ledger, ...appended] : appended;
      this.state = { ...NEW_CHANNEL, generation, lookedThrough, memory, recountedAt };
    }
    const dataAsOf = new Date(asOf * DAY_MS);
    const drift = driftDocument(tableOn(asOf), [findings], dataAsOf);
    return {
      bandit: banditDocument(this.armsOn(asOf), [findings], { dataAsOf, observedUntil: asOf }),
      drift: drift.channels[0] as DriftDocument['channels'][number],
    };
  }

  private historyOn(asOf: number): ChannelHistory {
    const { noRestart = false } = this.faults;
    return {
      channel: EMAIL,
      firstDay: 0,
      // As if all days had been looked at, and nothing had been found.
      state: noRestart ? { ...NEW_CHANNEL, lookedThrough: asOf - MATURITY_DAYS.email } : this.state,
      ledger: this.ledger,
      isKept: !noRestart,
      days: (from, to) => Promise.resolve(this.daysBetween(from, to)),
      campaignIdOf: (key) => Promise.resolve(campaignIdOf(this.campaigns.indexOf(key))),
    };
  }

  private daysBetween(from: number, to: number): ChannelDays {
    const { day, position, step, campaign, n, y, size } = this.counts;
    const [first, end] = [rowFrom(day, size, from), rowFrom(day, size, to + 1)];
    const cut = (column: Int32Array) => column.subarray(first, end);
    return {
      counts: {
        size: end - first,
        day: cut(day),
        position: position.subarray(first, end),
        step: step.subarray(first, end),
        campaign: cut(campaign),
        n: cut(n),
        y: cut(y),
      },
      campaigns: this.campaigns,
      merged: new Map(),
    };
  }

  private armsOn(asOf: number): ArmSums[] {
    const arms = POSITIONS.map((position): ArmSums => ({
      channel: 'email',
      position,
      observations: 0,
      replies: 0,
      streamed: 0,
      immature: 0,
      lastOutcomeAt: Number.NaN,
    }));
    for (let row = 0; row < this.counts.size && (this.counts.day[row] ?? 0) <= asOf; row += 1) {
      const arm = arms[this.counts.position[row] ?? 0] as ArmSums;
      arm.observations += this.counts.n[row] ?? 0;
      arm.replies += this.counts.y[row] ?? 0;
    }
    return arms.filter(({ observations }) => observations > 0);
  }
}

/** What the documents of a run want of the cohorts: that messages were sent and answered until now. */
function tableOn(asOf: number): CohortTable {
  const table = new CohortTable(asOf);
  const cells = { day: asOf, channel: EMAIL, step: 0, position: 0, touches: 1, replies: 1, streamed: 1 };
  table.push(cells, asOf * DAY_MS);
  return table;
}

function rowFrom(day: Int32Array, size: number, from: number): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((day[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
