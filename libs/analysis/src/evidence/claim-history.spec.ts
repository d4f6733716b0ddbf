import { claimHistories, type RecordedClaim } from './claim-history';

const day = (count: number) => new Date(Date.UTC(2026, 0, 1 + count));

const historyOf = (...rows: readonly (readonly [RecordedClaim['tier'], RecordedClaim['reason']?])[]) =>
  claimHistories(
    rows.map(([tier, reason = 'found'], i) => ({
      ...{ code: 'TA-1', number: i + 1, tier, reason, since: day(i) },
      isUp: tier === 'none' ? null : true,
    })),
  ).get('TA-1');

describe('the history of a claim', () => {
  it.each([
    [[['directional']], {}],
    [[['directional'], ['none', 'undecided']], {}],
    [[['likely'], ['confirmed']], { firstConfirmedAt: day(1) }],
    [[['confirmed'], ['likely']], { firstConfirmedAt: day(0) }],
    [[['likely'], ['directional'], ['none', 'changed']], { retractedAt: day(1) }],
    [[['confirmed'], ['none', 'changed']], { firstConfirmedAt: day(0), retractedAt: day(1) }],
    [[['confirmed'], ['none', 'changed'], ['likely']], { firstConfirmedAt: day(0) }],
    [[['confirmed'], ['none'], ['confirmed'], ['none']], { firstConfirmedAt: day(0), retractedAt: day(3) }],
  ] as const)('%j', (rows, expected) => {
    expect(historyOf(...rows)).toEqual({ ...expected, isErased: false });
  });

  it('knows of an erasure until something else is claimed', () => {
    expect(historyOf(['likely'], ['none', 'erased'])).toEqual({ retractedAt: day(1), isErased: true });
    expect(historyOf(['likely'], ['none', 'erased'], ['directional'])?.isErased).toBe(false);
  });

  it('is that of one code', () => {
    const row = { number: 1, isUp: true, reason: 'found', since: day(0) } as const;
    const histories = claimHistories([
      { ...row, code: 'TA-1', tier: 'confirmed' },
      { ...row, code: 'TA-2', tier: 'likely' },
    ]);
    expect(histories.get('TA-2')).toEqual({ isErased: false });
  });
});
