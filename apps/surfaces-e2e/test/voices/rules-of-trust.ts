import {
  ALERT_CATALOGUE,
  CHANNELS,
  type AlertCode,
  type Channel,
  type EnvelopeFrame,
} from '@outcomes/contracts';
import { alike, nameOf, within, type Pair, type Rule } from './comparing';
import type { PlannedMessage } from './planned-messages';
import { channelAsked, driftAnswer, hasAlert } from './rules-of-times';
import type { Said, Voice } from './voices';

const ABOUT_TRUST: readonly AlertCode[] = [
  ...(['very_stale_outcomes', 'stale_outcomes', 'drift_not_evaluated', 'drift_relearning'] as const),
  ...(['drift_detected', 'audience_mix_changed', 'volume_changed'] as const),
];
/** What an alert tells to leave alone. */
const FORBIDS = /do not act on the posteriors/i;
const ALLOWS = /posteriors may be acted upon/i;

/** What an answer says of whether its numbers may be acted upon; undefined where it says nothing of it. */
function trustOf({ frame }: Voice): EnvelopeFrame | undefined {
  return frame && 'drift_state' in frame ? frame : undefined;
}

/** Channels by which a campaign was written to in a window that ends with the newest outcome, or ever. */
export function channelsOfCampaign({ plan }: Said, { data, asked }: Voice): readonly Channel[] {
  const own = plan.messages.filter(({ campaign }) => campaign === asked.campaign_id);
  const [from, to] = [Date.parse(data.window.from as string), Date.parse(data.window.to as string)];
  const isInside = ({ sentAt }: PlannedMessage) => sentAt >= from && sentAt < to;
  const counting = own.some(isInside) ? own.filter(isInside) : own;
  return CHANNELS.filter((channel) => counting.some((message) => message.channel === channel));
}

/** What the verdict of an answer is about: a channel, or undefined for the company. */
function subjectOf(voice: Voice, said: Said): Channel | undefined {
  const channel = channelAsked(voice);
  if (channel !== undefined || voice.question !== 'CampaignHealth') return channel;
  const channels = channelsOfCampaign(said, voice);
  return channels.length === 1 ? channels[0] : undefined;
}

/** What is advised of the posteriors: a critical campaign is to be paused first. */
export const adviceOnTrust = (action: string): string => action.replace(/^Pause [^.]*\. ?/, '') || 'None.';

/** The verdict of the drift answer, without the two sentences that are its own. */
const sentenceOf = ({ summary }: { summary: string }): string =>
  summary.replace(/^\d+ channels? looked at, \d+ changes? on record\. /, '');

/** Whether numbers may be acted upon: one verdict, with its reason, in every answer. */
export const RULES_OF_TRUST: readonly Rule[] = [
  alike('one verdict in every answer', function* (voice, said) {
    const trust = trustOf(voice);
    if (!trust) return;
    const subject = subjectOf(voice, said) ?? 'the company';
    yield [`${subject}: drift_state`, trust.drift_state];
    yield [`${subject}: posteriors_trustworthy`, trust.posteriors_trustworthy];
    yield [`${subject}: recommended_action`, adviceOnTrust(trust.recommended_action)];
    yield [`${subject}: alerts`, ABOUT_TRUST.filter((code) => hasAlert(trust.alerts, code))];
  }),
  {
    name: 'one sentence in every answer',
    *pairs(said): Generator<Pair> {
      for (const voice of said.voices) {
        const trust = trustOf(voice);
        if (!trust) continue;
        const sentence = sentenceOf(driftAnswer(said, subjectOf(voice, said)));
        yield { what: nameOf(voice), one: trust.summary.slice(-sentence.length), other: sentence };
      }
    },
  },
  within('flag, sentence, action and alerts say the same', function* (voice) {
    const trust = trustOf(voice);
    if (!trust) return;
    const { posteriors_trustworthy: flag, summary, recommended_action: action, alerts, drift_state } = trust;
    const actions = alerts.map((code) => ALERT_CATALOGUE[code].action);
    yield ['the sentence allows', ALLOWS.test(summary), flag];
    yield ['the sentence forbids', FORBIDS.test(summary), !flag];
    yield ['the action forbids', /do not act/i.test(action), !flag];
    yield ['an alert forbids', actions.some((one) => FORBIDS.test(one)), !flag];
    if (drift_state === 'insufficient_data') yield ['what was not looked at', flag, false];
    if (drift_state === 'rate')
      yield [
        'a change is told',
        alerts.some((code) => /^drift_(detected|relearning)$|^very_stale_o/.test(code)),
        true,
      ];
    yield ['drift_detected', hasAlert(alerts, 'drift_detected'), flag && drift_state === 'rate'];
  }),
];
