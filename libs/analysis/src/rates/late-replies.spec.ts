import type { ChannelDrift } from '@outcomes/contracts';
import { findingsOf } from '../../test/channel-findings';
import { FIRST_DAY, tableOf } from '../../test/company-fixture';
import type { CohortRow } from '../cohorts/cohort-row';
import type { CohortTable } from '../cohorts/cohort-table';
import { driftDocument } from '../drift/drift-document';
import { countsByPosition } from './level-counts';
import { shareOfAllReplies, lateRepliesOf } from './late-replies';
import { settledShareOf } from './settled-share';

const EMAIL = 0;
const LINKEDIN = 1;
const DAYS = 120;
const PER_DAY = 1_000;
const RATE = 0.08;

/** A company whose replies take so many days on average, without chance. */
function companyOf(meanDelay: number): CohortTable {
  const arrived = (days: number) => 1 - Math.exp(-days / meanDelay);
  const rows = Array.from({ length: DAYS }, (_, day): CohortRow => {
    const age = DAYS - 1 - day;
    const replyDelays: number[] = [];
    for (let delay = 0; delay <= age; delay += 1) {
      const came = arrived(Math.min(delay + 1, age + 0.5)) - arrived(delay);
      const place = Math.min(delay, 29);
      replyDelays[place] = (replyDelays[place] ?? 0) + PER_DAY * RATE * came;
    }
    const replies = Math.round(replyDelays.reduce((sum, one) => sum + one, 0));
    return {
      ...{ day: FIRST_DAY + day, channel: EMAIL, step: 0, position: 1, touches: PER_DAY, replies },
      ...{ streamed: PER_DAY, bounces: 0, unsubscribes: 0, opens: 0, meetings: 0, replyDelays },
      ...{ levelTouches: [], levelReplies: [], levelRandomized: [], hourTouches: [], hourReplies: [] },
      lastOutcomeAt: null,
    };
  });
  return tableOf(rows);
}

const [late, ordinary] = [companyOf(25), companyOf(3)];
const driftOf = async (table: CohortTable) =>
  driftDocument(table, await findingsOf(table), new Date('2026-06-01T00:00:00Z')).channels[0] as ChannelDrift;

describe('late replies of a company', () => {
  it('are those of its own messages, of the channel that is asked about', () => {
    expect(lateRepliesOf(late, EMAIL)?.share).toBeCloseTo(Math.exp(-14 / 25), 2);
    expect(lateRepliesOf(late, LINKEDIN)).toBeNull();
    expect(lateRepliesOf(ordinary, EMAIL)).toBeNull();
  });

  it('are expected of messages by their age, young or settled', () => {
    const share = shareOfAllReplies(late, settledShareOf(late));
    // Of less than half of the replies that come in time nothing is concluded.
    expect(share(EMAIL, 5)).toBe(0);
    for (const age of [7, 13, 14, 20, 28, 40])
      expect(share(EMAIL, age)).toBeCloseTo(1 - Math.exp(-(age + 0.5) / 25), 1);
    const { messages, settled, replies } = countsByPosition(late, share)[1] ?? {
      messages: 0,
      settled: 0,
      replies: 0,
    };
    // Mutation: all replies of settled messages have come.
    expect(replies / messages).toBeLessThan(0.068);
    expect(replies / settled).toBeGreaterThan(0.078);
    expect(replies / settled).toBeLessThan(0.082);
  });

  it('leave an ordinary company as it is, to the last bit', () => {
    const usual = settledShareOf(ordinary);
    const share = shareOfAllReplies(ordinary, usual);
    for (let age = 0; age < DAYS; age += 1) expect(share(EMAIL, age)).toBe(usual(EMAIL, age));
  });

  it('are told of with the ledger: how many, how they come, and which messages have theirs', async () => {
    const { late_replies: told } = await driftOf(late);
    expect(told).toMatchObject({ settle_days: 14, share: expect.closeTo(Math.exp(-14 / 25), 2) as number });
    const { arrived = [], complete_through = '' } = told ?? {};
    expect(arrived[0]).toBeCloseTo(1 - Math.exp(-14.5 / 25), 1);
    expect(arrived.every((value, place) => place === 0 || value >= (arrived[place - 1] ?? 0))).toBe(true);
    expect(arrived.at(-1)).toBeGreaterThanOrEqual(0.995);
    // 95 % of exponential delays of 25 days have come after 75.
    const age = (Date.parse('2026-05-04') - Date.parse(complete_through)) / 86_400_000;
    expect(Math.abs(age - 75)).toBeLessThan(6);
    expect(await driftOf(ordinary)).not.toHaveProperty('late_replies');
  });
});
