import { CHANNELS, type Channel } from '@outcomes/contracts';
import { alike, orSpoken, within, type Pair, type Rule } from './comparing';
import { driftAnswer, hasAlert } from './rules-of-times';
import type { Document } from './voices';

/** When replies changed and by how much: one ledger, told in one way. */
export const RULES_OF_CHANGES: readonly Rule[] = [
  {
    name: 'a channel is told alone as among others',
    *pairs(said): Generator<Pair> {
      const all = driftAnswer(said);
      for (const test of all.tests) {
        const alone = driftAnswer(said, test.channel as Channel);
        const what = String(test.channel);
        yield { what: `${what}: state`, one: test.state, other: alone.drift_state };
        yield {
          what: `${what}: flag`,
          one: test.posteriors_trustworthy,
          other: alone.posteriors_trustworthy,
        };
        yield { what: `${what}: test`, one: test, other: alone.tests[0] };
        const own = (all.changes as Document[]).filter(({ channel }) => channel === test.channel);
        if (!hasAlert(all.alerts, 'results_truncated'))
          yield { what: `${what}: ledger`, one: own, other: alone.changes };
        const { since, told_at, direction, before, after, scope } = own[0] ?? NO_CHANGE;
        const last = { since, told_at, direction, before, after, scope };
        const { since: s, told_at: t, direction: d, before: b, after: a, scope: c } = test;
        yield {
          what: `${what}: last change`,
          one: last,
          other: { since: s, told_at: t, direction: d, before: b, after: a, scope: c },
        };
      }
    },
  },
  within('a change is told in numbers that fit each other', function* ({ question, data }) {
    if (question !== 'DriftState') return;
    for (const { since, direction, before, after, ratio, told_at } of data.changes) {
      yield [`direction since ${since}`, direction, after.value < before.value ? 'down' : 'up'];
      yield [`ratio since ${since}`, ratio < 1 ? 'down' : 'up', direction];
      yield [`told after ${since}`, told_at > since, true];
    }
    for (const { channel, recent, reference, since } of data.tests) {
      if (recent.from !== null && reference.to !== null)
        yield [`periods of ${channel}`, reference.to < recent.from, true];
      if (since !== null && recent.from !== null) yield [`recent of ${channel}`, recent.from >= since, true];
    }
    const [, verb, from, to, day] =
      /Replies.* (fell|rose) from ([\d.]+) % to ([\d.]+) % around (\S+?)[ ,;.]/.exec(
        data.summary as string,
      ) ?? [];
    if (day === undefined) return;
    const told = (data.tests as Document[]).find((test) => test.since === day);
    yield ['the day in words', told !== undefined, true];
    yield ['the direction in words', verb === 'fell' ? 'down' : 'up', told?.direction];
    yield ['the rate before, in words', from, orSpoken(from, told?.before.value * 100)];
    yield ['the rate after, in words', to, orSpoken(to, told?.after.value * 100)];
  }),
  {
    name: 'what is waited for is one number',
    *pairs(said): Generator<Pair> {
      for (const channel of CHANNELS) {
        const drift = driftAnswer(said, channel);
        const [, told] = /wait for (\d+) more repl/.exec(drift.summary as string) ?? [];
        const [, advised] = /wait for (\d+) more repl/.exec(drift.recommended_action as string) ?? [];
        if (told === undefined) continue;
        yield { what: channel, one: Number(told), other: drift.tests[0]?.replies_needed ?? Number(told) };
        yield { what: `${channel}, in the action`, one: told, other: advised };
      }
    },
  },
  alike('arms rest on what came since the last change', function* ({ question, data }) {
    if (question === 'DriftState')
      for (const { channel, since } of data.tests) if (since !== null) yield [`${channel}: data_from`, since];
    if (question === 'BanditState')
      for (const { channel, data_from } of data.arms) yield [`${channel}: data_from`, data_from];
  }),
];

const NO_CHANGE = { since: null, told_at: null, direction: null, before: null, after: null, scope: null };
