import {
  type AlertCode,
  type CampaignHealth,
  type Channel,
  DAY_MS,
  type DriftState,
  type EnvelopeFrame,
} from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { isFullForm } from '@outcomes/testing';
import { eventsOf, WORLDS, type WorldName } from './generated-worlds';
import { OptOutServices } from './opt-out-company';
import { allAnswers, type AskedAnswers } from './asked-answers';
import { adviceOnTrust } from './voices/rules-of-trust';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const PATIENCE_MS = 180_000;
const EXACT = ['alpha', 'beta', 'posterior_mean', 'posterior_variance'];
const ABOUT_TRUST: ReadonlySet<AlertCode> = new Set([
  'very_stale_outcomes',
  'stale_outcomes',
  'drift_not_evaluated',
  'drift_relearning',
  'drift_detected',
  'audience_mix_changed',
  'volume_changed',
]);
const ABOUT_AGE: ReadonlySet<AlertCode> = new Set(['stale_data', 'very_stale_data', 'stale_analysis']);
/** What each world is to be told as, so that the worlds cannot all fall into one case. */
const EXPECTED: Readonly<Record<WorldName, readonly [state: string, trustworthy: boolean]>> = {
  'nothing ever changed': ['none', true],
  'email fell of late': ['rate', true],
  'linkedin rose of late': ['rate', true],
  'email fell, and hardly anybody answers since': ['rate', false],
  'email fell long ago': ['none', true],
  'ten days old': ['insufficient_data', false],
  'silent for nine days': ['none', true],
  'of sixteen years ago': ['none', false],
};

jest.setTimeout(PATIENCE_MS);

let services: OptOutServices;
beforeAll(async () => {
  services = await OptOutServices.start();
}, PATIENCE_MS);
afterAll(() => services.stop());

describe.each(Object.keys(WORLDS) as WorldName[])('every surface asked about a company: %s', (name) => {
  let scope: TenantScope;
  /** What was said already: nothing changes in a world but the time. */
  const said = new Map<string, AskedAnswers>();

  beforeAll(async () => {
    services.now = NOW;
    scope = await services.newCompany();
    const events = eventsOf(WORLDS[name], NOW);
    for (let from = 0; from < events.length; from += 500)
      await services.send(scope, events.slice(from, from + 500));
    await services.process(scope);
    await services.analyse(scope);
  }, PATIENCE_MS);

  const ask = async (days: number, channel?: Channel): Promise<AskedAnswers> => {
    const question = `${days} ${channel}`;
    const known = said.get(question);
    if (known) return known;
    services.now = NOW + days * DAY_MS;
    const answers = await allAnswers(services, scope, NOW + days * DAY_MS, channel);
    said.set(question, answers);
    return answers;
  };

  it('is told as what it is', async () => {
    const { drift } = await ask(0);
    expect([drift.drift_state, drift.posteriors_trustworthy]).toEqual(EXPECTED[name]);
  });

  describe.each([0, 3, 9, 31])('%d days after the run', (days) => {
    it('carries one frame', async () => {
      const { frames } = await ask(days);
      const times = frames.map(({ analysed_at, data_as_of, newest_outcome_at }) => ({
        ...{ analysed_at, data_as_of, newest_outcome_at },
      }));
      expect(times.length).toBeGreaterThan(12);
      for (const one of times) expect(one).toEqual(times[0]);
      expect(times[0]?.analysed_at).toBe(new Date(NOW).toISOString());
      const ages = frames.map(({ alerts }) => alerts.filter((code) => ABOUT_AGE.has(code)));
      for (const one of ages) expect(one).toEqual(ages[0]);
      expect(ages[0]?.includes('stale_analysis')).toBe(days > 2);
      // While it is analysed anew, nobody is forbidden to act because nothing was sent.
      if (days <= 2) expect(ages[0]).not.toContain('very_stale_data');
    });

    // `npm test` asks about the channels on the day of the run: what age does to a verdict is the same of all.
    const narrowings = days === 0 || isFullForm() ? ([undefined, 'email', 'linkedin'] as const) : [undefined];
    it.each(narrowings)('carries one verdict: %s', async (channel) => {
      const { drift, verdicts } = await ask(days, channel);
      const told = verdictOf(drift);
      for (const verdict of verdicts) expect(verdictOf(verdict)).toEqual(told);
      for (const { summary } of verdicts) expect(summary.endsWith(sentenceOf(drift))).toBe(true);
      expect(/Do not act/.test(drift.summary)).toBe(!drift.posteriors_trustworthy);
      expect(/Do not act/.test(drift.recommended_action)).toBe(!drift.posteriors_trustworthy);
      if (drift.posteriors_trustworthy)
        expect(told.alerts.filter((code) => /very_stale|not_evaluated|relearning/.test(code))).toEqual([]);
    });
  });

  it('speaks of a campaign as of its channels, and calls none healthy that fell with them', async () => {
    const { drift, health, list } = await ask(0);
    for (const one of health) {
      const channel = channelOf(one);
      const about = channel === undefined ? drift : (await ask(0, channel)).drift;
      expect(verdictOf(one)).toEqual(verdictOf(about));
      expect(list.campaigns.find(({ campaign_id }) => campaign_id === one.campaign_id)?.status).toBe(
        one.status,
      );
      const fell = about.tests.some(
        ({ state, direction, scope: whose, channel: of }) =>
          state !== 'none' && direction === 'down' && whose?.kind === 'channel' && usesOf(one).includes(of),
      );
      if (fell) {
        expect(['watch', 'critical']).toContain(one.status);
        expect(one.issues.map(({ code }) => code)).toContain('replies_fell');
      } else expect(one.issues.map(({ code }) => code)).not.toContain('replies_fell');
      expectSound(one, drift);
    }
  });

  it('has periods that no change lies in, and dates that are what they are called', async () => {
    const { drift } = await ask(0);
    for (const { recent, reference, ...test } of drift.tests) {
      const { since, first_detected_at, told_at, before, after, direction } = test;
      if (recent.from !== null && reference.to !== null) expect(reference.to < recent.from).toBe(true);
      for (const change of drift.changes.filter(({ channel }) => channel === test.channel))
        for (const { from, to } of [recent, reference])
          if (from !== null && to !== null) expect(change.since > from && change.since <= to).toBe(false);
      expect(first_detected_at).toBe(told_at);
      if (since === null) continue;
      expect(told_at !== null && told_at > since).toBe(true);
      expect(direction).toBe((after?.value ?? 0) < (before?.value ?? 0) ? 'down' : 'up');
      expect(Math.min(before?.n ?? 0, after?.n ?? 0)).toBeGreaterThan(0);
      // What is recent is of the time after the change, and so of its rate and not of the one before.
      if (recent.rate !== null && after !== null && before !== null)
        expect(Math.abs(recent.rate - (after.value ?? 0))).toBeLessThan(
          Math.abs(recent.rate - (before.value ?? 0)),
        );
    }
  });

  it('writes numbers with six digits, but for what a posterior is defined by', async () => {
    const { results } = await ask(0);
    const long: string[] = [];
    JSON.stringify(results, (key, value: unknown) => {
      if (typeof value === 'number' && !Number.isInteger(value) && !EXACT.includes(key))
        if (Number(value.toPrecision(6)) !== value) long.push(`${key} ${value}`);
      return value;
    });
    expect(long).toEqual([]);
  });

  function expectSound(health: CampaignHealth, drift: DriftState): void {
    const { window, sample_size, outcomes, reply_rate, newest_outcome_at } = health;
    expect(window.to).toBe(
      new Date(Date.parse(newest_outcome_at?.slice(0, 10) ?? '') + DAY_MS).toISOString(),
    );
    expect(Object.values(outcomes).reduce((sum, n) => sum + n, 0)).toBe(sample_size);
    expect(reply_rate.n).toBe(sample_size);
    for (const { channel, from, to } of window.settled) {
      const change = drift.tests.find((test) => test.channel === channel)?.since ?? '';
      if (from === null || to === null) continue;
      expect(from >= change && from >= (window.from ?? '').slice(0, 10) && to < (window.to ?? '')).toBe(true);
    }
  }
});

const usesOf = ({ by_step, campaign_id }: CampaignHealth): readonly Channel[] =>
  campaign_id === 'both'
    ? ['email', 'linkedin']
    : by_step.length > 0
      ? by_step.map(({ channel }) => channel)
      : [campaign_id === 'only-linkedin' ? 'linkedin' : 'email'];

function channelOf({ campaign_id }: CampaignHealth): Channel | undefined {
  if (campaign_id === 'only-email') return 'email';
  return campaign_id === 'only-linkedin' ? 'linkedin' : undefined;
}

type ContactVerdict = Pick<
  EnvelopeFrame,
  'drift_state' | 'posteriors_trustworthy' | 'recommended_action' | 'alerts'
>;

function verdictOf({ drift_state, posteriors_trustworthy, recommended_action, alerts }: ContactVerdict) {
  return {
    ...{ drift_state, posteriors_trustworthy, recommended_action: adviceOnTrust(recommended_action) },
    alerts: alerts.filter((code) => ABOUT_TRUST.has(code)),
  };
}

/** The drift answer begins with two sentences of its own: what was looked at, and what is on record. */
function sentenceOf({ summary }: DriftState): string {
  return summary.replace(/^\d+ channels? looked at, \d+ changes? on record\. /, '');
}
