import type { ChannelDrift, DriftDocument, RateChange } from '@outcomes/contracts';
import type { ClaimRow } from '../evidence/claims';
import { newsOf, type FoundByRun } from './run-news';

const rate = (value: number) => ({ value, ci_low: value / 2, ci_high: value * 2, n: 400 });
const change = (settled_on: string, told_at: string, more: Partial<RateChange> = {}): RateChange => ({
  ...{ channel: 'email', since: '2026-05-01', settled_on, told_at, direction: 'down', ratio: 0.5 },
  ...{ before: rate(0.08), after: rate(0.04), statistic: 12, scope: { kind: 'campaign', value: 'spring' } },
  ...more,
});
const drift = (changes: readonly RateChange[], silent: readonly string[] = []): DriftDocument => ({
  ...{
    data_as_of: '2026-06-10T02:00:00.000Z',
    engine_version: '1',
    newest_outcome_at: '2026-06-10T01:00:00.000Z',
  },
  channels: [{ channel: 'email', changes } as unknown as ChannelDrift],
  ...(silent.length > 0 && {
    silent_sources: silent.map((source) => ({
      ...{ source, tool: 'smartlead', last_delivery_at: '2026-06-01T00:00:00.000Z' },
    })),
  }),
});
const claim = (code: string, tier: ClaimRow['tier'], more: Partial<ClaimRow> = {}): ClaimRow => ({
  ...{ code, number: 1, tier, isUp: tier === 'none' ? null : true, since: new Date('2026-06-10T02:00:00Z') },
  ...{ reason: 'found', goesWith: null, eValue: 400, oddsRatio: 1.6, oddsRatioLow: 1.2, oddsRatioHigh: 2.1 },
  messages: 900,
  ...more,
});
const found = (more: Partial<FoundByRun>): FoundByRun => ({
  ...{ runId: 'run', dataAsOf: new Date('2026-06-10T02:00:00Z'), messages: 1_200 },
  ...{ drift: undefined, driftBefore: undefined, standing: [], appended: [] },
  ...more,
});
const types = (more: Partial<FoundByRun>) => newsOf(found(more)).map(({ type }) => type);
const only = (type: string, more: Partial<FoundByRun>) =>
  newsOf(found(more)).filter((one) => one.type === type);

describe('what a run tells', () => {
  it('is always that it has ended', () => {
    expect(newsOf(found({}))).toEqual([
      {
        type: 'analysis.finished',
        data: { run_id: 'run', data_as_of: '2026-06-10T02:00:00.000Z', messages: 1_200 },
      },
    ]);
  });

  it('is a change that was not there before, as the answers tell it', () => {
    const known = change('2026-05-20', '2026-06-03');
    const fresh = change('2026-05-27', '2026-06-10', { direction: 'up' });
    const more = { driftBefore: drift([known]), drift: drift([known, fresh]) };
    expect(only('drift.changed', more)).toEqual([
      {
        type: 'drift.changed',
        data: {
          ...{ channel: 'email', since: '2026-05-01', told_at: '2026-06-10', direction: 'up', ratio: 0.5 },
          ...{ before: rate(0.08), after: rate(0.04), scope: { kind: 'campaign', value: 'spring' } },
        },
      },
    ]);
  });

  it('is no change again whose numbers were made anew', () => {
    const before = change('2026-05-20', '2026-06-03');
    const anew = change('2026-05-20', '2026-06-03', { ratio: 0.45, since: '2026-05-02' });
    expect(types({ driftBefore: drift([before]), drift: drift([anew]) })).toEqual(['analysis.finished']);
  });

  it('is no history: of an import, changes of the last thirty days alone', () => {
    const old = change('2026-04-27', '2026-05-10');
    const late = change('2026-04-28', '2026-05-11');
    expect(only('drift.changed', { drift: drift([old, late]) })).toHaveLength(1);
  });

  it('is a source that went silent since the run before', () => {
    const more = { driftBefore: drift([], ['src_a']), drift: drift([], ['src_a', 'src_b']) };
    expect(only('source.silent', more)).toEqual([
      {
        type: 'source.silent',
        data: { source: 'src_b', tool: 'smartlead', last_delivery_at: '2026-06-01T00:00:00.000Z' },
      },
    ]);
    expect(only('source.silent', { driftBefore: drift([], ['src_a']), drift: drift([]) })).toEqual([]);
  });

  it('is a pattern that is confirmed now, and was not, or was the other way round', () => {
    const directional = claim('tone.direct', 'directional');
    const confirmed = claim('tone.direct', 'confirmed', { number: 2, reason: 'stronger' });
    expect(only('pattern.confirmed', { standing: [directional], appended: [confirmed] })).toEqual([
      {
        type: 'pattern.confirmed',
        data: {
          ...{ code: 'tone.direct', since: '2026-06-10T02:00:00.000Z', direction: 'up', messages: 900 },
          ...{ odds_ratio: 1.6, odds_ratio_low: 1.2, odds_ratio_high: 2.1 },
        },
      },
    ]);
    const reversed = claim('tone.direct', 'confirmed', { number: 3, isUp: false, reason: 'reversed' });
    expect(only('pattern.confirmed', { standing: [confirmed], appended: [reversed] })).toMatchObject([
      { data: { direction: 'down' } },
    ]);
    expect(types({ appended: [directional] })).toEqual(['analysis.finished']);
  });

  it('is a pattern that is claimed no more, by its newest row', () => {
    const rows = [
      claim('tone.direct', 'confirmed'),
      claim('tone.direct', 'likely', { number: 2, reason: 'weaker' }),
    ];
    const ended = claim('tone.direct', 'none', { number: 3, reason: 'undecided' });
    expect(only('pattern.retracted', { standing: rows, appended: [ended] })).toEqual([
      {
        type: 'pattern.retracted',
        data: { code: 'tone.direct', since: '2026-06-10T02:00:00.000Z', was: 'likely', reason: 'undecided' },
      },
    ]);
    const never = [claim('tone.direct', 'directional')];
    expect(types({ standing: never, appended: [ended] })).toEqual(['analysis.finished']);
    expect(
      types({ standing: [...rows, ended], appended: [claim('tone.direct', 'none', { number: 4 })] }),
    ).toEqual(['analysis.finished']);
  });

  const tiers = ['confirmed', 'likely', 'directional', 'none'] as const;
  it.each([undefined, ...tiers].flatMap((was) => tiers.map((now) => ({ was, now }))))(
    'of a pattern that was $was and is $now, only what was or is claimed',
    ({ was, now }) => {
      const isNew = now === 'confirmed' && was !== 'confirmed';
      const isOver = (now === 'directional' || now === 'none') && (was === 'confirmed' || was === 'likely');
      expect(
        types({
          standing: [claim('other', 'confirmed'), ...(was ? [claim('tone.direct', was)] : [])],
          appended: [claim('tone.direct', now, { number: 2, isUp: now === 'none' ? null : true })],
        }),
      ).toEqual([
        'analysis.finished',
        ...(isNew ? ['pattern.confirmed'] : []),
        ...(isOver ? ['pattern.retracted'] : []),
      ]);
    },
  );
});
