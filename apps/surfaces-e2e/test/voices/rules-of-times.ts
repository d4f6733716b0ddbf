import { type AlertCode, type Channel, DAY_MS } from '@outcomes/contracts';
import { alike, within, type Rule } from './comparing';
import type { Document, Said, Voice } from './voices';

const HOUR_MS = 3_600_000;

/** The channel that an answer was asked to be about, if any. */
export const channelAsked = ({ asked }: Voice): Channel | undefined => asked.channel as Channel | undefined;

/** The drift answer about the company, or about a channel. */
export function driftAnswer({ voices }: Said, channel?: Channel): Document {
  return voices.find(
    (voice) =>
      voice.question === 'DriftState' &&
      voice.way === 'REST' &&
      channelAsked(voice) === channel &&
      voice.asked.window_days === undefined,
  )?.data;
}

export const hasAlert = (alerts: readonly string[], code: AlertCode): boolean => alerts.includes(code);

/** When an answer was given: its own word, or where documents stand, the time of the reading. */
const answeredAt = ({ data }: Voice, { plan }: Said): number =>
  typeof data?.as_of === 'string' ? Date.parse(data.as_of as string) : plan.readAt;

const ageOf = (at: string | null, voice: Voice, said: Said): number =>
  at === null ? 0 : answeredAt(voice, said) - Date.parse(at);

/** Age of the newest outcome that an answer is about. */
function outcomeAge(voice: Voice, said: Said): number {
  const channel = channelAsked(voice);
  const own = channel === undefined ? voice.frame : driftAnswer(said, channel)?.tests[0];
  return ageOf(own?.newest_outcome_at ?? null, voice, said);
}

/** When numbers are of, and how old they are. */
export const RULES_OF_TIMES: readonly Rule[] = [
  alike('every answer is about the company that asked', function* ({ data, question }, { companyId }) {
    yield ['the company', companyId];
    if (typeof data?.tenant_id === 'string') yield ['the company', data.tenant_id];
    if (typeof data?.companyId === 'string') yield ['the company', data.companyId];
    if (question === 'Health') yield ['the company', data.authentication.companyId];
    if (question === 'Patterns' || question === 'RecipientProfiles')
      for (const { companyId: own } of data) yield ['the company', own];
  }),
  alike('one run, one set of times', function* ({ frame }) {
    if (!frame) return;
    for (const field of ['analysed_at', 'data_as_of', 'newest_outcome_at'] as const)
      yield [field, frame[field]];
  }),
  within('times come in their order', function* (voice, said) {
    const { frame } = voice;
    if (!frame) return;
    const order = [frame.data_as_of, frame.analysed_at].filter((at) => at !== null);
    const times = [...order.map((at) => Date.parse(at)), answeredAt(voice, said)];
    yield ['received, analysed, answered', times, [...times].sort((a, b) => a - b)];
    // No outcome is of a day that had not come when it was received.
    if (frame.newest_outcome_at !== null && frame.data_as_of !== null)
      yield ['the newest outcome', frame.newest_outcome_at <= frame.data_as_of, true];
    yield ['a run has times', frame.analysed_at === null, frame.data_as_of === null];
  }),
  within('alerts about age are what the times say', function* (voice, said) {
    const { frame } = voice;
    if (!frame) return;
    const has = (code: AlertCode) => hasAlert(frame.alerts, code);
    const [run, data] = [ageOf(frame.analysed_at, voice, said), ageOf(frame.data_as_of, voice, said)];
    yield ['stale_analysis', has('stale_analysis'), run > 48 * HOUR_MS];
    yield ['very_stale_data', has('very_stale_data'), data > 7 * DAY_MS && run > 48 * HOUR_MS];
    yield ['stale_data', has('stale_data') || has('very_stale_data'), data > 48 * HOUR_MS];
    if (!('drift_state' in frame)) return;
    const age = outcomeAge(voice, said);
    yield ['stale_outcomes', has('stale_outcomes'), age > 8 * DAY_MS && age <= 30 * DAY_MS];
    yield ['very_stale_outcomes', has('very_stale_outcomes'), age > 30 * DAY_MS];
    if (age > 30 * DAY_MS) yield ['old outcomes are no ground', frame.posteriors_trustworthy, false];
  }),
  within('what was sent and never analysed is told as that', function* ({ frame }, { plan }) {
    if (!frame) return;
    const has = (code: AlertCode) => hasAlert(frame.alerts, code);
    const isSent = plan.messages.length > 0;
    yield ['no_data_ingested_yet', has('no_data_ingested_yet'), !isSent];
    yield ['awaiting_first_daily_run', has('awaiting_first_daily_run'), isSent && frame.analysed_at === null];
    yield ['analysed_at', frame.analysed_at !== null, plan.analysedAt.length > 0];
  }),
  {
    name: 'the newest outcome of the company is that of its channels',
    *pairs(said) {
      const drift = driftAnswer(said);
      const newest = (drift.tests as Document[]).map((test) => String(test.newest_outcome_at)).sort();
      yield { what: 'DriftState', one: drift.newest_outcome_at, other: newest.at(-1) ?? null };
    },
  },
];
