import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '@outcomes/tenancy';
import { EVIDENCE_DESIGN } from './evidence-design';
import { packStrata, STRATA_MAKE } from './pair-strata';
import { guessQuestions } from './question-guesses.repository';

const COMPANY = randomUUID();
type Pair = readonly [code: string, within: string];

/** What is guessed of a company with these codes once supported, and campaigns in which these pairs were counted. */
async function guessed(supported: readonly string[], campaigns: readonly (readonly Pair[])[] = []) {
  const query = async (statement: string, parameters: readonly unknown[]) => {
    if (statement.includes('evidence_weeks')) {
      expect(parameters).toEqual([COMPANY]);
      return { rows: supported.map((code) => ({ code })) };
    }
    expect(parameters).toEqual([COMPANY, STRATA_MAKE]);
    return {
      rows: campaigns.map((pairs) => ({
        strata: packStrata(pairs.map(([code, within]) => ({ code, within, strata: [] }))),
      })),
    };
  };
  const { watched, ...guess } = await guessQuestions({
    ...{ companyId: COMPANY, client: { query } },
  } as unknown as TenantTransaction);
  const { dimensions, features } = EVIDENCE_DESIGN;
  const names = watched.map((feature) => dimensions[features[feature]?.dimension ?? -1]?.name);
  return { ...guess, watched, dimensions: [...new Set(names)] };
}

describe('what a fold will probably be asked', () => {
  it('is of steps in every company, and of nothing else where nothing has had evidence', async () => {
    const { watched, dimensions, changes, pairs } = await guessed([]);
    expect(dimensions).toEqual(['sequence_step']);
    expect(watched.length).toBeGreaterThan(0);
    expect([changes, pairs]).toEqual([[], []]);
  });

  it('is of all levels of a dimension of which one has had evidence', async () => {
    const { watched, dimensions } = await guessed(['TA-5', 'SF-1']);
    expect(dimensions).toEqual(['tone', 'subject_question', 'sequence_step']);
    const features = EVIDENCE_DESIGN.features.flatMap(({ dimension }, feature) =>
      dimensions.includes(EVIDENCE_DESIGN.dimensions[dimension]?.name) ? [feature] : [],
    );
    expect(watched).toEqual(features);
    expect((await guessed(['XX-1'])).dimensions).toEqual(['sequence_step']);
  });

  it('is of both sides of the pairs that were counted, each pair once', async () => {
    const { pairs, dimensions } = await guessed(
      [],
      [
        [
          ['SF-1', 'tone'],
          ['SF-1', 'weekday'],
        ],
        [
          ['SF-1', 'tone'],
          ['TA-5', 'tone'],
        ],
      ],
    );
    expect(pairs).toEqual([
      { code: 'SF-1', within: 'tone', since: null },
      { code: 'SF-1', within: 'weekday', since: null },
      { code: 'TA-5', within: 'tone', since: null },
    ]);
    expect(dimensions.toSorted()).toEqual(['sequence_step', 'subject_question', 'tone', 'weekday']);
  });
});
