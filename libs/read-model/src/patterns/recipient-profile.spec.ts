import { levelIndex, type SegmentDocument } from '@outcomes/contracts';
import type { Responder } from '../touches/responder.repository';
import { profileOf } from './recipient-profile';

const responder = (fields: Partial<Responder> = {}): Responder => ({
  ...{ personId: 'aaaaaaaaaaaaaaaa', position: 'vp', positionConfidence: 0.9, jobTitle: 'VP Sales' },
  ...{ emailDomain: 'a.example', responses: 2, messages: 5, industry: 'retail' },
  answeredLevels: [],
  lastOutcomeAt: new Date('2026-01-05T08:00:00Z'),
  ...fields,
});
const segments = (attribute: SegmentDocument['attribute'], ...values: string[][]): SegmentDocument => ({
  attribute,
  segments: values.map((of, i) => ({
    ...{ id: `s-${i}`, name: 'n', size: 12, confidence_level: 'high', values: of },
    statistical_tests: { of },
  })),
});

describe('the profile of somebody who answered', () => {
  it('has what was observed, and nothing else', () => {
    expect(profileOf('company', responder(), undefined)).toEqual({
      ...{ companyId: 'company', recipientId: 'aaaaaaaaaaaaaaaa', inferred_position: 'vp' },
      ...{ original_position: null, position_confidence: 0.9, response_count: 2, cluster_assignment: -1 },
      pattern_preferences: {},
      response_metrics: { messages: 5, responses: 2 },
      ...{ last_updated: '2026-01-05T08:00:00.000Z', email_domain: 'a.example' },
    });
  });

  it('keeps the job title as it came where it could not be categorised, without hidden characters', () => {
    const unknown = { position: 'unknown' as const, emailDomain: 'a\u202e.example' };
    expect(profileOf('c', responder({ ...unknown, jobTitle: 'Wiz\u200bard' }), undefined)).toMatchObject({
      original_position: 'Wizard',
      email_domain: 'a.example',
    });
    expect(profileOf('c', responder({ ...unknown, jobTitle: null }), undefined).original_position).toBeNull();
    expect(profileOf('c', responder({ emailDomain: null }), undefined).email_domain).toBe('unknown');
  });

  it('counts the answered messages of each level, and none that there is no name for', () => {
    const [direct, monday] = [levelIndex('tone', 'direct'), levelIndex('weekday', 'monday')];
    const answeredLevels = [direct, direct, levelIndex('tone', 'professional'), monday, 99_999];
    expect(profileOf('c', responder({ answeredLevels }), undefined).pattern_preferences).toEqual({
      tone: { direct: 2, professional: 1 },
      weekday: { monday: 1 },
    });
  });

  it.each([
    ['industry', segments('industry', ['software'], ['food', 'retail']), 1],
    ['position', segments('position', ['vp']), 0],
    ['a value of none', segments('position', ['retail']), -1],
    ['nothing', segments(null, ['vp', 'retail']), -1],
  ])('places by %s', (_by, document, index) => {
    const { cluster_assignment, statistical_tests } = profileOf('c', responder(), document);
    expect(cluster_assignment).toBe(index);
    expect(statistical_tests).toEqual(document.segments[index]?.statistical_tests);
  });

  it('places nobody whose industry is not known', () => {
    const document = segments('industry', ['retail']);
    expect(profileOf('c', responder({ industry: null }), document).cluster_assignment).toBe(-1);
  });
});
