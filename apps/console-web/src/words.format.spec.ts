import type { WorkflowDecision } from '@outcomes/contracts';
import { cameOf, counted, driftInWords, percent, rate, times } from './words.format';

describe('what came of a decision', () => {
  const came = (of: Pick<WorkflowDecision, 'outcome' | 'followed' | 'settled'>) =>
    cameOf(of as WorkflowDecision);

  it('is open until its message has settled, and no reply then', () => {
    const silent = { outcome: 'no_response', followed: true } as const;
    expect(came({ ...silent, settled: false })).toBe('open: may still be answered');
    expect(came({ ...silent, settled: true })).toBe('no reply');
    expect(came({ ...silent, outcome: null, settled: false })).toBe('open: may still be answered');
  });

  it('is what was told, however young the message', () => {
    expect(came({ outcome: 'responded', followed: true, settled: false })).toBe('a reply');
    expect(came({ outcome: 'unsubscribed', followed: false, settled: true })).toBe(
      'an opt-out; another message than advised',
    );
    expect(came({ outcome: null, followed: null, settled: null })).toBe('no message yet');
  });
});

describe('what a look at replies found', () => {
  it('is unknown where nobody could look', () => {
    expect(driftInWords('none', true)).toBe('No change of late.');
    expect(driftInWords('none', false)).toBe('Unknown: there are no recent outcomes.');
    expect(driftInWords('insufficient_data', false)).toMatch(/^Too little/);
  });
});

describe('numbers in words', () => {
  it('tell no rate where nothing has settled', () => {
    expect(rate({ value: null, ci_low: null, ci_high: null, n: 0 })).toBe('unknown: nothing has settled');
  });

  it('keep the ends of an interval on their side of no effect', () => {
    expect([1.02, 1.35, 1.79, 0.98, 0.5, 0.042, 12.4].map(times)).toEqual([
      '×1.02',
      '×1.35',
      '×1.79',
      '×0.98',
      '×0.50',
      '×0.042',
      '×12',
    ]);
  });

  it('call a share neither none nor all unless it is', () => {
    expect([0, 0.00001, 0.0004, 0.005, 0.03, 0.0997, 0.42, 0.9996, 1].map(percent)).toEqual([
      '0 %',
      '< 0.01 %',
      '0.04 %',
      '0.5 %',
      '3.0 %',
      '10 %',
      '42 %',
      '> 99.5 %',
      '100 %',
    ]);
  });

  it('have their noun in its number', () => {
    expect([counted(1, 'batch', 'batches'), counted(2_000, 'event')]).toEqual(['1 batch', '2,000 events']);
  });
});
