import { assessEvidence, type EvidenceAssessment } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from './evidence-design';
import { evidenceWeeks, weekOf } from './evidence-weeks';

const [none] = assessEvidence(EVIDENCE_DESIGN, []).assessments as [EvidenceAssessment];
const assessed = (code: string, own: Partial<EvidenceAssessment>): EvidenceAssessment => ({
  ...{ ...none, code, eligible: true, n: 400, logOr: 0.4, low: 0.1, high: 0.7, reason: null },
  ...own,
});

describe('evidence by week', () => {
  it('begins with Mondays, in UTC', () => {
    expect(weekOf(new Date('2026-03-02T00:00:00Z'))).toBe('2026-03-02');
    expect(weekOf(new Date('2026-03-08T23:59:59Z'))).toBe('2026-03-02');
    expect(weekOf(new Date('2026-03-09T00:00:00Z'))).toBe('2026-03-09');
  });

  it('has what a code reached and what it had to, and nothing of codes that compare nothing', () => {
    const weeks = evidenceWeeks(
      [
        assessed('TA-1', { tier: 'confirmed', eValue: Math.exp(7) }),
        assessed('TA-2', { tier: null, eValue: Math.exp(1) }),
        assessed('TA-3', { eligible: false }),
      ],
      '2026-03-02',
    );
    expect(weeks.map(({ code, tier, messages }) => [code, tier, messages])).toEqual([
      ['TA-1', 'confirmed', 400],
      ['TA-2', 'none', 400],
    ]);
    const [first, second] = weeks;
    // Two take part: the confirmed one had to reach 2 / .05, one more would have to reach half of it.
    expect(first?.logE).toBeCloseTo(7, 10);
    expect([first?.logLimit, second?.logLimit].map((limit) => Math.exp(limit ?? 0))).toEqual([
      expect.closeTo(40, 10),
      expect.closeTo(20, 10),
    ]);
    expect(first?.oddsRatioLow).toBeCloseTo(Math.exp(0.1), 12);
  });

  it('keeps an e-value of zero finite', () => {
    const [week] = evidenceWeeks([assessed('TA-1', { tier: null, eValue: 0 })], '2026-03-02');
    expect(week?.logE).toBe(-690);
  });
});
