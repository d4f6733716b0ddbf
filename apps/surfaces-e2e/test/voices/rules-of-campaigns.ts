import { ALERT_CATALOGUE, type AlertCode, type Channel, DAY_MS } from '@outcomes/contracts';
import { STRANGER } from './asked-everything';
import { alike, within, type Pair, type Rule } from './comparing';
import { driftAnswer, hasAlert } from './rules-of-times';
import { channelsOfCampaign } from './rules-of-trust';
import type { Document, Said, Voice } from './voices';

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const isHealth = ({ question, asked }: Voice): boolean =>
  question === 'CampaignHealth' && ![STRANGER, undefined].includes(asked.campaign_id as string | undefined);

/** How far two answers about campaigns speak of the same messages. */
const windowOf = ({ asked }: Voice): string => `${String(asked.window_days ?? 'default')} days`;

/** Falls of replies of a whole channel, told of late, that a campaign sent into. */
function fallsOf(said: Said, voice: Voice): Document[] {
  const channels = channelsOfCampaign(said, voice);
  return (driftAnswer(said).tests as Document[]).filter(
    ({ channel, state, direction, scope }) =>
      // Also while too little has settled since it to look again.
      state !== 'none' &&
      direction === 'down' &&
      scope.kind === 'channel' &&
      channels.includes(channel as Channel) &&
      (voice.asked.channel === undefined || voice.asked.channel === channel),
  );
}

/** What is said of campaigns, in the list, one by one, and beside the company's own state. */
export const RULES_OF_CAMPAIGNS: readonly Rule[] = [
  alike('a campaign is in the list what it is by itself', function* (voice) {
    const { question, data, asked } = voice;
    if (question === 'CampaignList') yield [`window of ${windowOf(voice)}`, data.window];
    const rows = question === 'CampaignList' ? data.campaigns : isHealth(voice) ? [data] : [];
    if (asked.channel !== undefined) return;
    for (const { campaign_id, status, sample_size, reply_rate, first_sent_at, last_sent_at } of rows) {
      const matter = `${campaign_id}, ${windowOf(voice)}`;
      yield [`${matter}: status`, status];
      yield [`${matter}: sample_size`, sample_size];
      yield [`${matter}: reply_rate`, reply_rate];
      yield [`${campaign_id}: first_sent_at`, first_sent_at];
      yield [`${campaign_id}: last_sent_at`, last_sent_at];
    }
  }),
  alike('campaigns are compared with one company', function* (voice) {
    if (!isHealth(voice)) return;
    const { data, asked } = voice;
    yield [`${windowOf(voice)}, ${String(asked.channel)}: baseline`, data.baseline.reply_rate];
    yield [`window of ${windowOf(voice)}`, data.window];
  }),
  {
    name: 'every campaign that was sent is listed, and no other',
    *pairs({ voices, plan }): Generator<Pair> {
      const names = plan.messages.map(({ campaign }) => campaign).filter((name) => name !== null);
      const sent = [...new Set(names)].sort();
      for (const { question, data } of voices) {
        if (question !== 'CampaignList' || plan.erased.size > 0) continue;
        yield { what: 'campaign_count', one: data.campaign_count, other: sent.length };
        const listed = (data.campaigns as Document[]).map(({ campaign_id }) => String(campaign_id)).sort();
        yield { what: 'campaigns', one: listed, other: sent };
      }
      for (const { question, data, asked } of voices) {
        if (question !== 'CampaignHealth' || asked.campaign_id === undefined) continue;
        const isUnknown = hasAlert(data.alerts, 'campaign_not_found');
        yield { what: String(asked.campaign_id), one: isUnknown, other: asked.campaign_id === STRANGER };
        if (isUnknown) yield { what: 'likely ids', one: data.similar_campaign_ids.toSorted(), other: sent };
      }
    },
  },
  within('counts of a campaign add up', function* (voice, said) {
    if (!isHealth(voice)) return;
    const { data } = voice;
    const { outcomes, sample_size, reply_rate, by_step, pending, alerts } = data;
    yield ['outcomes', sumOf(Object.values(outcomes as Record<string, number>)), sample_size];
    yield ['reply_rate.n', reply_rate.n, sample_size];
    yield ['replies.observed', data.replies.observed, outcomes.responded];
    yield ['pending', pending > 0, hasAlert(alerts, 'unresolved_outcomes_excluded')];
    yield ['campaign_id', data.campaign_id, voice.asked.campaign_id];
    const { bounce_rate, unsubscribe_rate } = data;
    yield ['all messages', bounce_rate.n, unsubscribe_rate.n];
    // Bounces are counted of all messages of the window, replies only of those since replies changed.
    const changed = (driftAnswer(said).tests as Document[]).some(({ since }) => since > data.window.from);
    const both = sample_size + pending;
    yield ['settled and pending messages', changed ? bounce_rate.n >= both : bounce_rate.n, changed || both];
    const { difference, reply_rate: of } = data.baseline;
    if (difference !== null) {
      const gap: number = reply_rate.value - of.value;
      yield ['baseline.difference', difference, Math.abs(difference - gap) < 2e-6 ? difference : gap];
    }
    if (hasAlert(alerts, 'results_truncated')) return;
    yield ['sent by step', sumOf((by_step as Document[]).map(({ sent }) => Number(sent))), sample_size];
    const answered = sumOf((by_step as Document[]).map(({ responded }) => Number(responded)));
    yield ['replies by step', answered, outcomes.responded];
  }),
  within('a window ends with the newest outcome, and counts since the last change', function* (voice, said) {
    const { question, data, frame } = voice;
    if (question !== 'CampaignList' && !isHealth(voice)) return;
    const { from, to, days, settled } = data.window;
    yield ['length', (Date.parse(to) - Date.parse(from)) / DAY_MS, days];
    if (frame?.newest_outcome_at)
      yield ['end', Date.parse(to) - DAY_MS, Date.parse(frame.newest_outcome_at.slice(0, 10))];
    for (const one of settled) {
      const test = (driftAnswer(said).tests as Document[]).find(({ channel }) => channel === one.channel);
      if (one.from === null) continue;
      yield [`${one.channel} since the change`, one.from >= (test?.since ?? ''), true];
      yield [`${one.channel} within`, one.from >= from.slice(0, 10) && one.to < to, true];
      yield [`${one.channel} days`, (Date.parse(one.to) - Date.parse(one.from)) / DAY_MS + 1, one.days];
    }
  }),
  within('a campaign that fell with its channel is not healthy', function* (voice, said) {
    if (!isHealth(voice)) return;
    const { status, issues, sample_size } = voice.data;
    const codes = (issues as Document[]).map(({ code }) => String(code));
    const hasFallen = fallsOf(said, voice).length > 0;
    if (hasFallen && sample_size > 0) yield ['status', status === 'healthy', false];
    if (hasFallen) yield ['an issue says so', codes.includes('replies_fell'), true];
    const isToldOfPart = (driftAnswer(said).changes as Document[]).some(
      ({ scope }) => scope.kind !== 'channel',
    );
    if (!isToldOfPart) yield ['no issue invents it', codes.includes('replies_fell'), hasFallen];
  }),
  within('status, issues and alerts of a campaign say the same', function* (voice) {
    if (!isHealth(voice)) return;
    const { status, issues, alerts, recommended_action: action } = voice.data;
    const worst = (issues as Document[]).map(({ severity }) => String(severity));
    yield ['critical', status === 'critical', worst.includes('critical')];
    yield ['to be paused', status === 'critical', String(action).startsWith('Pause ')];
    yield ['watch', status === 'watch', !worst.includes('critical') && worst.includes('warning')];
    for (const { code } of issues as { code: AlertCode }[])
      if (code in ALERT_CATALOGUE) yield [code, alerts.includes(code), true];
  }),
  alike('a change of a channel is of one day and one direction', function* (voice) {
    if (voice.question === 'DriftState')
      for (const { channel, since, direction } of voice.data.tests)
        if (since !== null) yield [channel, { since, direction }];
    if (isHealth(voice))
      for (const { channel, since, direction } of voice.data.changes) yield [channel, { since, direction }];
  }),
];
