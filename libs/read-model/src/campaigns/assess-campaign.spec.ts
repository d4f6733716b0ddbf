import type { ArmRecord, BanditDocument } from '@outcomes/contracts';
import { drawBinomial, seededRng } from '@outcomes/statistics';
import fc from 'fast-check';
import type { CampaignCell } from '../touches/campaign.repository';
import type { CompanyCell } from '../touches/cohort.repository';
import { rateChange } from '../../test/planted-drift';
import { assessCampaign } from './assess-campaign';
import { alertsFor, issuesOf } from '../campaign-health/health-issues';

const bandit = {
  prior: { mean: 0.05, concentration: 40 },
  arms: [{ channel: 'email', position: 'vp', posterior_mean: 0.05 } as ArmRecord],
} as unknown as BanditDocument;
const company: CompanyCell[] = [
  { channel: 'email', stepBucket: 0, position: 'vp', messages: 10_000, replies: 500 },
];

function cells(counts: Partial<Record<CampaignCell['outcome'], number>>, fields: Partial<CampaignCell> = {}) {
  return Object.entries(counts).map(([outcome, messages]): CampaignCell => ({
    campaignId: 'c',
    channel: 'email',
    sequenceStep: 0,
    position: 'vp',
    outcome: outcome as CampaignCell['outcome'],
    mature: true,
    inWindow: true,
    sinceChange: true,
    messages,
    repliedAndUnsubscribed: 0,
    ...fields,
  }));
}

/** A campaign's messages as all that its company sent. */
const asCompany = ({ channel, position, messages, due, outcome }: CampaignCell): CompanyCell => ({
  ...{ channel, position, messages, due, stepBucket: 0 },
  replies: outcome === 'responded' ? messages : 0,
});

const assess = (own: readonly CampaignCell[]) => assessCampaign(own, company, bandit);

/** A rate of something that was counted. */
interface Known {
  readonly value: number;
  readonly ci_low: number;
  readonly ci_high: number;
}

describe('assessCampaign', () => {
  it('calls a campaign healthy that replies as its audience should', () => {
    const result = assess(cells({ no_response: 950, responded: 50 }));
    expect(result.status).toBe('healthy');
    expect(result.reasons.map((reason) => reason.code)).toEqual(['replies_as_expected']);
    expect(alertsFor(result.reasons)).toEqual([]);
    expect(result.replies.ratio).toBeCloseTo(1, 1);
    expect(result.sampleSize).toBe(1_000);
    expect(result.replyRate).toMatchObject({ n: 1_000 });
    expect(result.replyRate.value).toBeCloseTo(0.05, 2);
  });

  it('watches one that replies clearly worse, with the number and its interval', () => {
    const result = assess(cells({ no_response: 980, responded: 20 }));
    expect(result.status).toBe('watch');
    const issues = issuesOf(result.reasons);
    expect(issues).toEqual([
      expect.objectContaining({ code: 'below_company_baseline', severity: 'warning' }),
    ]);
    expect(issues[0]?.value).toBeLessThan(0.7);
    expect(issues[0]?.ci_high).toBeLessThan(1);
    expect(result.baseline.probability_below).toBeGreaterThan(0.99);
  });

  it('watches one whose replies fell with its channel, though it keeps up with it', () => {
    const fall = rateChange();
    const result = assessCampaign(cells({ no_response: 950, responded: 50 }), company, bandit, fall);
    expect(result.status).toBe('watch');
    expect(issuesOf(result.reasons, fall)[0]).toMatchObject({
      code: 'replies_fell',
      severity: 'warning',
      message: 'Replies by email fell from 5.0 % to 2.4 % (95 % interval 1.8 % to 3.1 %) around 2026-01-05.',
      suggested_action:
        'Look at all messages by email: what changed around 2026-01-05 (list, sender or copy).',
      value: 0.024,
    });
  });

  it('counts no reply from before replies changed, and guards from the first message on', () => {
    const before = cells({ no_response: 100, responded: 100, bounced: 30 }, { sinceChange: false });
    const result = assess([...before, ...cells({ no_response: 95, responded: 5 })]);
    expect(result.sampleSize).toBe(100);
    expect(result.replies.observed).toBe(5);
    expect(result.replyRate.n).toBe(100);
    expect(result.pending).toBe(0);
    expect(result.status).toBe('critical');
  });

  it('does not take an easier audience for a better campaign', () => {
    const easy = {
      ...bandit,
      arms: [{ channel: 'email', position: 'vp', posterior_mean: 0.1 } as ArmRecord],
    };
    const result = assessCampaign(cells({ no_response: 900, responded: 100 }), [], easy);
    expect(Math.abs((result.replies.ratio ?? 0) - 1)).toBeLessThan(0.03);
  });

  it('calls proved bounces critical, even before anything is settled', () => {
    const result = assess(cells({ no_response: 80, bounced: 20 }, { mature: false }));
    expect(result.sampleSize).toBe(0);
    expect(result.pending).toBe(100);
    expect(result.status).toBe('critical');
    expect(issuesOf(result.reasons)[0]).toMatchObject({ code: 'high_bounce_rate', severity: 'critical' });
    expect(result.bounceRate.n).toBe(100);
  });

  it('counts the guards from the first message on, not from the start of the window', () => {
    const before = cells({ no_response: 80, bounced: 20 }, { inWindow: false });
    const result = assess([...before, ...cells({ no_response: 30 })]);
    expect(result.status).toBe('critical');
    expect(result.bounceRate.n).toBe(30);
  });

  it('calls proved unsubscribes critical', () => {
    const result = assess(cells({ no_response: 95, unsubscribed: 8 }));
    expect(issuesOf(result.reasons)[0]).toMatchObject({
      code: 'elevated_unsubscribe_rate',
      severity: 'critical',
    });
  });

  it('counts a reply that asks to be removed as an unsubscribe, once', () => {
    const removed = cells({ unsubscribed: 8 }, { repliedAndUnsubscribed: 8 });
    const before = cells({ unsubscribed: 3 }, { repliedAndUnsubscribed: 3, inWindow: false });
    const result = assess([...removed, ...before, ...cells({ no_response: 95, responded: 5 })]);
    expect(result.repliedAndUnsubscribed).toBe(8);
    expect(result.outcomes).toEqual({ responded: 5, no_response: 95, bounced: 0, unsubscribed: 8 });
    expect(result.replies.observed).toBe(5);
    expect(Object.values(result.outcomes).reduce((sum, n) => sum + n, 0)).toBe(result.sampleSize);
    expect(issuesOf(result.reasons)[0]).toMatchObject({
      code: 'elevated_unsubscribe_rate',
      severity: 'critical',
    });
    // Counted as replies they would hide what is wrong.
    expect(assess(cells({ no_response: 95, responded: 13 })).status).not.toBe('critical');
  });

  it('puts what is critical before what is a warning', () => {
    const result = assess(cells({ no_response: 800, bounced: 200, responded: 5 }));
    expect(issuesOf(result.reasons).map((issue) => issue.severity)).toEqual(['critical', 'warning']);
  });

  it('says insufficient_data below 30 settled messages, and before anything can be compared', () => {
    expect(assess(cells({ no_response: 29 })).status).toBe('insufficient_data');
    expect(assessCampaign(cells({ no_response: 500 }), company, undefined).status).toBe('insufficient_data');
  });

  it('has nulls and zeros, and no NaN, for a campaign without messages', () => {
    const result = assess([]);
    expect(result).toMatchObject({
      status: 'insufficient_data',
      sampleSize: 0,
      replyRate: { value: null, ci_low: null, ci_high: null, n: 0 },
      replies: { observed: 0, expected: null, ratio: null },
      ownDataShare: 0,
    });
    expect(JSON.stringify(result)).not.toContain('NaN');
  });

  it('lists steps in order, each with its channel', () => {
    const result = assess([
      ...cells({ no_response: 5 }, { sequenceStep: 3 }),
      ...cells({ no_response: 8, responded: 2 }, { channel: 'linkedin' }),
      ...cells({ no_response: 7 }),
    ]);
    expect(result.byStep).toEqual([
      { sequence_step: 0, channel: 'email', sent: 7, responded: 0 },
      { sequence_step: 0, channel: 'linkedin', sent: 10, responded: 2 },
      { sequence_step: 3, channel: 'email', sent: 5, responded: 0 },
    ]);
  });

  it.each([
    [0, 10],
    [3, 10],
    [40, 960],
  ])('has of %d replies to %d messages the rate that its ratio says', (replies, messages) => {
    const {
      replyRate,
      replies: compared,
      ownDataShare,
      baseline,
    } = assess(cells({ responded: replies, no_response: messages - replies }));
    const level = (compared.expected ?? 0) / messages;
    expect(replyRate.value).toBeCloseTo(level * (compared.ratio ?? 0), 12);
    expect(replyRate.ci_low).toBeCloseTo(level * (compared.ci_low ?? 0), 12);
    expect(replyRate.ci_high).toBeCloseTo(level * (compared.ci_high ?? 0), 12);
    expect(baseline.difference).toBeCloseTo((replyRate.value ?? 0) - 500.5 / 10_001, 9);
    // Campaigns usually differ by a third, as if nine replies were expected of each beforehand.
    expect(Math.abs(ownDataShare - (compared.expected ?? 0) / ((compared.expected ?? 0) + 9))).toBeLessThan(
      0.1,
    );
  });

  // Positions that are all alike say nothing of how far campaigns differ.
  it.each([
    [40, 0.0895, 0.0627, 0.121],
    [6, 0.0214, 0.0088, 0.0393],
  ])(
    'does not pull %d replies of 400 to the arms the more the arms are alike',
    (replies, value, low, high) => {
      const alike = { ...bandit, prior: { ...bandit.prior, concentration: 2_755 } };
      const { replyRate, baseline } = assessCampaign(
        cells({ responded: replies, no_response: 400 - replies }),
        company,
        alike,
      );
      expect(Math.abs((replyRate.value ?? 0) - value)).toBeLessThan(0.001);
      expect(Math.abs((replyRate.ci_low ?? 0) - low)).toBeLessThan(0.002);
      expect(Math.abs((replyRate.ci_high ?? 0) - high)).toBeLessThan(0.002);
      const below = baseline.probability_below ?? 0.5;
      expect(replies === 6 ? below : 1 - below).toBeGreaterThan(0.99);
    },
  );

  it('never says of rate, interval, ratio, difference and reasons two things that cannot both be', () => {
    const anyCampaign = fc.record({
      messages: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20_000 })),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      arm: fc.double({ min: 0.001, max: 0.95, noNaN: true }),
      concentration: fc.double({ min: 1, max: 1e5, noNaN: true }),
      companyReplies: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(anyCampaign, ({ messages, share, arm, concentration, companyReplies }) => {
        const replies = Math.round(messages * share);
        const own = cells({ responded: replies, no_response: messages - replies });
        const others = company[0] as CompanyCell;
        const {
          replyRate,
          replies: compared,
          baseline,
          reasons,
          ownDataShare,
        } = assessCampaign(
          own,
          [{ ...others, messages: 10_000 + messages, replies: companyReplies + replies }],
          {
            ...bandit,
            prior: { ...bandit.prior, concentration },
            arms: [{ channel: 'email', position: 'vp', posterior_mean: arm } as ArmRecord],
          },
        );
        const { value, ci_low: low, ci_high: high } = replyRate as Known;
        const level = (compared.expected ?? NaN) / messages;
        expect(low).toBeLessThan(value);
        expect(value).toBeLessThanOrEqual(Math.min(1, high));
        expect(level * (compared.ratio ?? NaN)).toBeCloseTo(value, 9);
        // What replies are worth beside the expectation and the rate's interval beside the expected rate say the same.
        expect(low > level).toBe((compared.ci_low ?? NaN) > 1);
        expect(high < level).toBe((compared.ci_high ?? NaN) < 1);
        for (const { code } of reasons) {
          if (code === 'replies_below_expected') expect(high).toBeLessThan(level);
          if (code === 'replies_above_expected') expect(low).toBeGreaterThan(level);
        }
        const { difference, probability_below: below, reply_rate: other } = baseline;
        expect(difference).toBeCloseTo(value - (other.value ?? NaN), 12);
        if (high < (other.ci_low ?? NaN)) expect(below).toBeGreaterThan(0.97);
        if (low > (other.ci_high ?? NaN)) expect(below).toBeLessThan(0.03);
        expect(ownDataShare).toBeGreaterThan(0);
        expect(ownDataShare).toBeLessThan(1);
      }),
    );
  });

  // Arms learn from the same replies: shrunk to them, intervals covered .85 to .91 of these.
  it.each([
    ['a campaign that is all of its company', ['c'], 0],
    ['a campaign that is most of its company', ['c'], 40],
    ['several together', ['c', 'd'], 40],
  ])('covers the rate of %s as often as it says', (_what, ids, rest) => {
    const [messages, truth, runs] = [400, 0.05, 1_000];
    let covered = 0;
    for (let run = 0; run < runs; run += 1) {
      const rng = seededRng(run);
      const replies = drawBinomial(rng, messages, truth);
      const own = ids.flatMap((campaignId) =>
        cells(
          { responded: replies / ids.length, no_response: (messages - replies) / ids.length },
          { campaignId },
        ),
      );
      const [all, answered] = [messages + rest, replies + drawBinomial(rng, rest, truth)];
      const { replyRate } = assessCampaign(
        own,
        [{ ...(company[0] as CompanyCell), messages: all, replies: answered }],
        {
          ...bandit,
          arms: [{ channel: 'email', position: 'vp', posterior_mean: answered / all } as ArmRecord],
        },
      );
      if ((replyRate.ci_low ?? 1) <= truth && truth <= (replyRate.ci_high ?? 0)) covered += 1;
    }
    expect(covered / runs).toBeGreaterThan(0.93);
  });

  it('has its own rate alone where nothing is expected of it', () => {
    for (const model of [undefined, { ...bandit, arms: [] }]) {
      const result = assessCampaign(cells({ responded: 5, no_response: 95 }), company, model);
      expect(result.replyRate.value).toBeCloseTo(5.5 / 101, 9);
      expect(result.ownDataShare).toBeCloseTo(100 / 101, 9);
    }
    expect(assessCampaign(cells({ no_response: 50 }), company, { ...bandit, arms: [] }).replies).toEqual({
      ...{ observed: 0, expected: null, ratio: null, ci_low: null, ci_high: null },
    });
  });

  it('has no rate above one, whatever is expected', () => {
    const sure = {
      ...bandit,
      arms: [{ channel: 'email', position: 'vp', posterior_mean: 0.9 } as ArmRecord],
    };
    const elsewhere = company.map((cell) => ({ ...cell, channel: 'linkedin' as const }));
    const { replyRate, baseline } = assessCampaign(cells({ responded: 10 }), elsewhere, sure);
    expect(replyRate.value).toBeGreaterThan(0.9);
    expect(replyRate.value).toBeLessThan(1);
    expect(replyRate.ci_high).toBe(1);
    expect(baseline.probability_below).toBeLessThan(0.001);
  });

  it('says with what interval replies come beside what was expected', () => {
    const { replies } = assess(cells({ no_response: 950, responded: 50 }));
    expect(replies.ci_low).toBeLessThan(replies.ratio ?? 0);
    expect(replies.ci_high).toBeGreaterThan(replies.ratio ?? 1);
  });

  it('counts bounces and unsubscribes of the window in their rates', () => {
    const result = assess(cells({ no_response: 60, bounced: 15, unsubscribed: 25 }));
    // With half an event in 25 and in 50 messages beside them.
    expect(result.bounceRate.value).toBeCloseTo(15.5 / 125, 9);
    expect(result.unsubscribeRate.value).toBeCloseTo(25.5 / 150, 9);
    expect(result.outcomes).toEqual({ responded: 0, no_response: 60, bounced: 15, unsubscribed: 25 });
  });

  it('differs by nothing from a company of the same rate', () => {
    const differences = Array.from({ length: 300 }, (_, k) => {
      const [messages, replies] = [997 + 13 * k, 31 + k];
      const own = cells({ no_response: messages - replies, responded: replies });
      const all = [{ ...(company[0] as (typeof company)[number]), messages, replies }];
      return assessCampaign(own, all, bandit).baseline.difference ?? NaN;
    });
    expect(differences.filter((difference) => difference !== 0 && Math.abs(difference) < 1e-15)).toEqual([]);
    expect(differences).toContain(0);
  });

  it('blames no campaign for replies that cannot have come yet', () => {
    // Of 1,000 messages at 5 % half of the replies have come, there as elsewhere.
    const own = cells({ no_response: 975, responded: 25 }).map((cell) => ({
      ...cell,
      due: cell.messages / 2,
    }));
    const all = company.map((cell) => ({ ...cell, due: cell.messages / 2, replies: cell.replies / 2 }));
    const result = assessCampaign(own, all, bandit);
    expect(result.status).toBe('healthy');
    expect(result.replies).toMatchObject({ observed: 25, ratio: expect.closeTo(1, 1) as number });
    expect(result.replyRate).toMatchObject({ n: 1_000, value: expect.closeTo(0.05, 2) as number });
    expect(result.baseline.reply_rate).toMatchObject({ n: 10_000, value: expect.closeTo(0.05, 3) as number });
    expect(result.baseline.probability_below).toBeGreaterThan(0.2);
    expect(result.baseline.probability_below).toBeLessThan(0.8);
    // Alone, and before arms are known, as well.
    expect(assessCampaign(own, own.map(asCompany), bandit).replyRate.value).toBeCloseTo(0.05, 2);
    expect(assessCampaign(own, all, undefined).replyRate).toMatchObject({
      n: 1_000,
      value: expect.closeTo(0.05, 2) as number,
    });
    // Mutation: all replies of settled messages have come.
    const unweighed = cells({ no_response: 975, responded: 25 });
    expect(assessCampaign(unweighed, company, bandit).status).toBe('watch');
  });

  it('counts no fewer messages than were answered', () => {
    const own = cells({ no_response: 10, responded: 90 }).map((cell) => ({
      ...cell,
      due: cell.messages / 2,
    }));
    expect(assessCampaign(own, own.map(asCompany), undefined).replyRate.value).toBeLessThan(1);
    // Nor can more than those that are due have been answered: of all campaigns together, too.
    const eager = cells({ no_response: 52, responded: 48 }).map((cell) => ({
      ...cell,
      due: cell.messages / 2,
    }));
    const { replies } = assessCampaign(eager, eager.map(asCompany), bandit);
    expect(((replies.ci_high ?? NaN) * (replies.expected ?? NaN)) / 50).toBeLessThan(1);
  });

  it.each([
    ['the campaign has nothing', [], company],
    ['the company has nothing', cells({ no_response: 50 }), []],
  ])('compares nothing where %s', (_what, own, others) => {
    const { baseline } = assessCampaign(own, others, bandit);
    expect([baseline.difference, baseline.probability_below]).toEqual([null, null]);
  });
});
