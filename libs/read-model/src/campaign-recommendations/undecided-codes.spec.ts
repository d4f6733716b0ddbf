import { CLAIM_END_REASONS, type PatternRecord } from '@outcomes/contracts';
import { undecidedCodes } from './undecided-codes';

const record = (code: string, fields: Partial<PatternRecord> = {}) =>
  ({ companyId: 'c', code, tier: 0, ...fields }) as PatternRecord;

describe('codes of which nothing is claimed', () => {
  it('stand by reason, in the order of the reasons, each with words of its own', () => {
    const codes = CLAIM_END_REASONS.map((reason, i) => record(`TA-${i}`, { reason })).reverse();
    const told = undecidedCodes(codes);
    expect(told.map(({ reason }) => reason)).toEqual(CLAIM_END_REASONS);
    expect(new Set(told.map(({ message }) => message)).size).toBe(CLAIM_END_REASONS.length);
    for (const { message } of told) expect(message).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('are not said to vary only between campaigns, as some of them vary inside one, from step to step', () => {
    const [told] = undecidedCodes([record('KP-2', { reason: 'varies_between_campaigns' })]);
    expect(told?.message).toMatch(/^Never sent beside its alternatives to like recipients/);
  });

  it('are listed together where they have one reason, and leave out claims and observations', () => {
    const records = [
      record('TA-1', { reason: 'few_texts' }),
      record('SF-1', { reason: 'few_texts' }),
      record('CH-1', { evidence_tier: 'confirmed' }),
      record('TA-OBS-1', { reason: 'few_texts', levels: [] }),
    ];
    expect(undecidedCodes(records)).toMatchObject([{ reason: 'few_texts', codes: ['TA-1', 'SF-1'] }]);
    expect(undecidedCodes([])).toEqual([]);
  });
});
