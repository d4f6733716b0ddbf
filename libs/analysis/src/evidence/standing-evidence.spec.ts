import { fortnightOf } from '@outcomes/persistence';
import { seededRng } from '@outcomes/statistics';
import { generateEvidence } from '@outcomes/statistics/testing';
import { isFullForm } from '@outcomes/testing';
import { FIRST_SEND_DAY, messagesOf } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import { nameOfMatured, packJudgement, unpackJudgement, type Judgement } from './kept-judgement';

const sent = messagesOf(
  generateEvidence(
    {
      ...{ copy: 'mixed', campaignSd: 0.4, textSd: 0.3, days: 112, sendsPerDay: 60, campaigns: 10 },
      ...{ secondChannel: 0.3, effects: { 'phrase1.0': 1, 'tone.4': 0.9 } },
    },
    7,
  ),
);
/** Campaigns that last a fortnight: one that runs on has other texts every day. */
const short = sent.map((message) => ({
  ...message,
  campaignId: `${message.campaignId} ${fortnightOf(message.day)}`,
}));
const until = (day: number) => short.filter((message) => message.day <= day);
const bytes = (value: unknown) => JSON.stringify(value);
/** Where a run has judged anew, and every third day that something stands: what stands wrongly stands for days. */
const isCompared = (day: number, hasJudged: boolean) => isFullForm() || hasJudged || day % 3 === 0;

describe('what was judged before', () => {
  it('stands while nothing matures, whatever is sent, and is what the counts alone say', async () => {
    const [first, days] = [FIRST_SEND_DAY + 56, 29];
    const stored = new StoredCampaigns(until(first));
    await stored.run(first);
    let judged = 0;
    for (let day = first + 1; day < first + days; day += 1) {
      stored.send(short.filter((message) => message.day === day));
      const before = stored.asked.folds;
      const found = await stored.run(day);
      judged += stored.asked.folds - before;
      if (!isCompared(day, stored.asked.folds > before)) continue;
      expect(bytes(found)).toBe(bytes(await new StoredCampaigns(until(day)).run(day)));
    }
    // In four weeks two fortnights mature, channel by channel.
    expect(judged).toBe(4);
  });

  it('gives the same numbers as the counts alone, whatever happens to messages and campaigns', async () => {
    const rng = seededRng(11);
    const [stored, fresh] = [new StoredCampaigns(), new StoredCampaigns()];
    const both = (change: (one: StoredCampaigns) => void) => [stored, fresh].forEach(change);
    let known: typeof short = [];
    let stood = 0;
    for (let day = FIRST_SEND_DAY + 40; day < FIRST_SEND_DAY + 110; day += 1) {
      const news = short.filter((message) => message.day === day);
      both((one) => one.send(news));
      known.push(...news);
      if (rng.next() < 0.3) {
        // A reply that comes late, a few messages that are erased, or a whole campaign, of any age.
        const chosen = known[Math.floor(rng.next() * known.length)] as (typeof short)[number];
        const share = Math.floor(rng.next() * 3) * 0.5;
        const gone = known.filter(
          (one) => one === chosen || (one.campaignId === chosen.campaignId && rng.next() < share),
        );
        const back = share === 0 ? [{ ...chosen, isReply: !chosen.isReply }] : [];
        both((one) => one.erase(gone));
        both((one) => one.send(back));
        known = [...known.filter((one) => !gone.includes(one)), ...back];
      }
      // Erasing the newest messages takes the day back up to which outcomes are known.
      const until = day - (rng.next() < 0.1 ? 20 : 0);
      const before = stored.asked.folds;
      const found = await stored.run(until);
      const hasJudged = stored.asked.folds > before;
      if (!hasJudged) stood += 1;
      if (!isCompared(day, hasJudged)) continue;
      fresh.forget();
      expect(found).toStrictEqual(await fresh.run(until));
      expect(stored.keptBytes.map(([campaign]) => campaign)).toEqual(
        fresh.keptBytes.map(([campaign]) => campaign),
      );
    }
    expect(stood).toBeGreaterThan(20);
    expect(stood).toBeLessThan(65);
  }, 120_000);

  it('would miss what changed if campaigns were not marked', async () => {
    const day = FIRST_SEND_DAY + 100;
    const stored = new StoredCampaigns(sent);
    await stored.run(day);
    const answered = sent.slice(0, 200).map((message) => ({ ...message, isReply: true }));
    const marks = stored.marks();
    stored.erase(sent.slice(0, 200));
    stored.send(answered);
    stored.mark(marks);
    const fresh = new StoredCampaigns([...sent.slice(200), ...answered]);
    expect(bytes(await stored.run(day))).not.toBe(bytes(await fresh.run(day)));
  });

  it('does not stand where matured messages are erased, nor where what is kept of them is lost', async () => {
    const day = FIRST_SEND_DAY + 100;
    const stored = new StoredCampaigns(sent);
    await stored.run(day);
    const { folds } = stored.asked;
    await stored.run(day);
    expect(stored.asked.folds).toBe(folds);
    stored.lose('campaign 3');
    await stored.run(day);
    expect(stored.asked.folds).toBe(folds + 1);
    const erased = sent.filter(({ campaignId }) => campaignId === 'campaign 2').slice(0, 5);
    stored.erase(erased);
    const fresh = new StoredCampaigns(sent.filter((message) => !erased.includes(message)));
    const [after, expected] = [await stored.run(day), await fresh.run(day)];
    expect(after.assessments).toEqual(expected.assessments);
    expect(after.variants).toEqual(expected.variants);
    expect(stored.asked.folds).toBe(folds + 2);
    // A day that goes back: less has matured.
    expect(bytes(await stored.run(day - 40))).toBe(bytes(await fresh.run(day - 40)));
  });

  it('comes back as it was put away, numbers without end included', () => {
    const odd = { low: -Infinity, high: Infinity, eValue: 1e300, lift: 0.1 + 0.2, logOr: -0, reason: null };
    const judgement = { assessments: [odd], pairs: [], withVariants: [3, 2 ** 47] } as unknown as Judgement;
    expect(unpackJudgement(packJudgement(judgement))).toStrictEqual(judgement);
  });

  it('is of campaigns in a state, and of no others', () => {
    const own = { campaign: 7, revision: 'a', span: { maturedOn: 3, maturesNext: null } };
    const waiting = { campaign: 8, revision: 'b', span: { maturedOn: null, maturesNext: 17 } };
    const name = (...campaigns: Parameters<typeof nameOfMatured>[0][]) =>
      nameOfMatured(campaigns.flatMap((one) => [...one])).toString('hex');
    expect(name([own, waiting])).toBe(name([own]));
    for (const other of [
      { ...own, campaign: 6 },
      { ...own, revision: 'c' },
      { ...own, span: { maturedOn: 3, maturesNext: 9 } },
    ])
      expect(name([other])).not.toBe(name([own]));
  });
});
