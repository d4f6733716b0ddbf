import { plannedRows, tableOf, type PlannedRow } from '../../test/company-fixture';
import { recipientSegments } from './recipient-segments';
import type { RecipientReadings } from './responder.repository';
import { describedSegments, segmentDocument } from './segment-texts';

const READINGS: RecipientReadings = {
  responders: (['c_suite', 'founder', 'partner', 'vp'] as const).map((position, index) => ({
    position,
    people: [40, 30, 20, 8][index] ?? 0,
    confident: 5,
    responses: 50,
    confidence: 0.9,
  })),
  byIndustry: [],
  industryCounts: [],
};
/** Positions are POSITIONS[1] to POSITIONS[4]: c_suite, founder, partner and vp. */
const ofPositions = (rows: readonly PlannedRow[], positions: readonly number[]) =>
  rows.filter(({ position }) => positions.includes(position));
const alike = plannedRows({ days: 120, sendsPerDay: 120, effects: { 'tone.direct': 0.5 } });
const other = plannedRows({ days: 120, sendsPerDay: 120, seed: 2, effects: { 'tone.empathetic': 1.2 } });

describe('segments of recipients', () => {
  it('are none where all positions prefer the same, however strong the preference', () => {
    const { attribute, segments, differences } = recipientSegments(tableOf(alike), READINGS);
    expect([attribute, segments, differences]).toEqual([null, [], []]);
    expect(segmentDocument({ attribute, segments, differences }, [])).toEqual({
      attribute: null,
      segments: [],
    });
  });

  it('are none without data', () => {
    expect(
      recipientSegments(tableOf([]), { responders: [], byIndustry: [], industryCounts: [] }).segments,
    ).toEqual([]);
  });

  it('are the positions that answer to something else, with what they answer to', () => {
    const table = tableOf([...ofPositions(alike, [1, 2, 3]), ...ofPositions(other, [4])]);
    const found = recipientSegments(table, READINGS);
    expect(found.attribute).toBe('position');
    expect(found.differences.map(({ test }) => test.dimension)).toEqual(['tone']);
    const described = describedSegments(found, READINGS);
    const vp = described.find(({ name }) => name === 'Position: VP');
    expect(vp).toMatchObject({
      size: 8,
      confidence_level: 'medium',
      dominant_position: 'vp',
      optimal_patterns: { tone: { level: 'empathetic', code: 'TA-4' } },
    });
    expect(vp?.key_insights[0]).toMatch(
      /^Tone: more likely than other recipients to answer "Empathetic tone"/,
    );
    expect(described.map(({ id }) => id)).toEqual(described.map((_, index) => `segment-${index}`));
    expect(described.every(({ stability }) => stability >= 0.75)).toBe(true);
    const document = segmentDocument(found, described);
    expect(document.segments.find(({ name }) => name === 'Position: VP')).toMatchObject({
      values: ['vp'],
      statistical_tests: { tone: { degrees_of_freedom: expect.any(Number), p_value: expect.any(Number) } },
    });
  });

  it('do not depend on the order of the data', () => {
    const rows = [...ofPositions(alike, [1, 2, 3]), ...ofPositions(other, [4])];
    const [one, two] = [rows, [...rows].reverse()].map((order) =>
      recipientSegments(tableOf(order), READINGS),
    );
    expect(JSON.stringify(two)).toBe(JSON.stringify(one));
  });
});
