import { inCitus, textInCitus } from './citus-dialect';

describe('a statement on Citus', () => {
  it('names its company by the parameter itself', () => {
    expect(
      textInCitus('SELECT 1 FROM touches WHERE company_id = (SELECT $1::uuid) AND n = (SELECT $2)'),
    ).toBe('SELECT 1 FROM touches WHERE company_id = $1::uuid AND n = (SELECT $2)');
  });

  it('has what is meant for Citus, and no other comment', () => {
    expect(textInCitus('INSERT INTO touches SELECT 1 /* one */ /*citus RETURNING 1*/')).toBe(
      'INSERT INTO touches SELECT 1 /* one */ RETURNING 1',
    );
  });

  it('is planned with its values', () => {
    expect(textInCitus("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)")).toBe(
      "SELECT set_config('plan_cache_mode', 'auto', true)",
    );
  });

  it('keeps its name and its values', () => {
    const query = { name: 'a', text: '(SELECT $1::uuid)', values: ['v'] };
    expect(inCitus(query)).toEqual({ name: 'a', text: '$1::uuid', values: ['v'] });
    expect(inCitus(query.text)).toBe('$1::uuid');
    expect(query.text).toBe('(SELECT $1::uuid)');
  });
});
