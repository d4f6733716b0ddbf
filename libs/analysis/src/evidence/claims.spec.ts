import fc from 'fast-check';
import { assessEvidence, type EvidenceAssessment } from '@outcomes/statistics';
import { claimsToAppend, type ClaimRow } from './claims';
import { EVIDENCE_DESIGN } from './evidence-design';

const [none] = assessEvidence(EVIDENCE_DESIGN, []).assessments as [EvidenceAssessment];
const day = (count: number) => new Date(Date.UTC(2026, 0, 1 + count));

type Found = Pick<EvidenceAssessment, 'tier' | 'logOr' | 'reason'>;
const claimed = (tier: Exclude<EvidenceAssessment['tier'], null>, logOr = 0.4): Found => ({
  tier,
  logOr,
  reason: null,
});
const notClaimed = (reason: EvidenceAssessment['reason'] = 'undecided'): Found => ({
  tier: null,
  logOr: 0.1,
  reason,
});

/** The record after some runs, a day each. */
function recordOf(runs: readonly Found[], erasures: readonly number[] = []): ClaimRow[] {
  const record: ClaimRow[] = [];
  runs.forEach((found, run) => {
    const newest = record.at(-1);
    const goesWith = found.reason === 'goes_with' ? 'TA-1' : null;
    const rows = claimsToAppend(newest ? [newest] : [], {
      assessments: [{ ...none, ...found, goesWith }],
      dataAsOf: day(run),
      afterErasure: erasures.includes(run),
    });
    record.push(...rows);
  });
  return record;
}

const found: fc.Arbitrary<Found> = fc.oneof(
  fc
    .record({
      tier: fc.constantFrom('confirmed' as const, 'likely' as const, 'directional' as const),
      logOr: fc.constantFrom(-0.5, 0.5),
    })
    .map(({ tier, logOr }) => claimed(tier, logOr)),
  fc
    .constantFrom('undecided' as const, 'changed' as const, 'no_data' as const, 'goes_with' as const)
    .map(notClaimed),
);

describe('the record of claims', () => {
  it('says at any time what the newest run found, and never latches', () => {
    fc.assert(
      fc.property(fc.array(found, { minLength: 1, maxLength: 12 }), (runs) => {
        for (let run = 0; run < runs.length; run += 1) {
          const { tier, logOr } = runs[run] as Found;
          const newest = recordOf(runs.slice(0, run + 1)).at(-1);
          expect(newest?.tier ?? 'none').toBe(tier ?? 'none');
          expect(newest?.isUp ?? null).toBe(tier === null ? null : logOr > 0);
        }
      }),
    );
  });

  it('grows by what has changed, and is only appended to', () => {
    fc.assert(
      fc.property(fc.array(found, { maxLength: 12 }), (runs) => {
        const record = recordOf(runs);
        expect(record.map(({ number }) => number)).toEqual(record.map((_, place) => place + 1));
        record.forEach((row, place) => {
          const before = record[place - 1];
          expect([before?.tier ?? 'none', before?.isUp ?? null]).not.toEqual([row.tier, row.isUp]);
        });
        expect(recordOf(runs.slice(0, -1))).toEqual(record.slice(0, recordOf(runs.slice(0, -1)).length));
      }),
    );
  });

  it('has no row for what was never claimed', () => {
    expect(recordOf([notClaimed(), notClaimed('few_texts')])).toEqual([]);
  });

  it('says since when, by the data, and why', () => {
    const record = recordOf([
      claimed('directional'),
      claimed('directional'),
      claimed('confirmed'),
      claimed('likely'),
      claimed('likely', -0.4),
      notClaimed('changed'),
      claimed('likely'),
      notClaimed('goes_with'),
    ]);
    expect(record.map(({ tier, since, reason }) => [tier, since, reason])).toEqual([
      ['directional', day(0), 'found'],
      ['confirmed', day(2), 'stronger'],
      ['likely', day(3), 'weaker'],
      ['likely', day(4), 'reversed'],
      ['none', day(5), 'changed'],
      ['likely', day(6), 'found'],
      ['none', day(7), 'goes_with'],
    ]);
    expect(record.map(({ goesWith }) => goesWith).filter(Boolean)).toEqual(['TA-1']);
  });

  it('names an erasure where nothing else explains the end of a claim', () => {
    expect(recordOf([claimed('likely'), notClaimed()], [1]).at(-1)?.reason).toBe('erased');
    expect(recordOf([claimed('likely'), notClaimed('changed')], [1]).at(-1)?.reason).toBe('changed');
    expect(recordOf([claimed('likely'), claimed('directional')], [1]).at(-1)?.reason).toBe('weaker');
  });
});
