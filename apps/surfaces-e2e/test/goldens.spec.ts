import { QUESTIONS, RESULT_PARTS, type Question, type Schema } from '@outcomes/contracts';
import { isFullForm, noteFigures, resultCheck } from '@outcomes/testing';
import { goldensOf } from './goldens';

/** Where a field stands in a schema: the keys that lead to it. */
type Place = readonly string[];

/** The same schema with what it refers to in its place, and without fields that have to be there: some are younger. */
function asOfOld(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(asOfOld);
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as Schema;
  if (typeof $ref === 'string') return asOfOld(RESULT_PARTS[$ref.split('/').at(-1) ?? '']);
  const { required: _younger, ...kept } = part as Schema;
  return Object.fromEntries(Object.entries(kept).map(([key, inner]) => [key, asOfOld(inner)]));
}

/** Every field that a schema names, at any depth. */
function* fieldsOf(schema: Schema, place: Place = []): Generator<Place> {
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const at = [...place, 'properties', name];
    yield at;
    yield* fieldsOf(inner, at);
  }
  for (const [index, inner] of (schema.anyOf ?? []).entries())
    yield* fieldsOf(inner, [...place, 'anyOf', String(index)]);
  if (schema.items) yield* fieldsOf(schema.items as Schema, [...place, 'items']);
  if (typeof schema.additionalProperties === 'object')
    yield* fieldsOf(schema.additionalProperties as Schema, [...place, 'additionalProperties']);
}

/** The same schema without one of its fields: what a release would be that removed or renamed it. */
function without(schema: Schema, place: Place): Schema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  const owner = place.slice(0, -1).reduce<unknown>((part, key) => (part as Schema)[key], copy);
  delete (owner as Record<string, unknown>)[place.at(-1) ?? ''];
  return copy;
}

/** Whether a value has a field where the schema places it. */
function holds(value: unknown, [step, key = '', ...rest]: Place): boolean {
  if (step === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (step === 'items')
    return (value as unknown[]).some((item) => holds(item, [key, ...rest].filter(Boolean)));
  if (step === 'additionalProperties')
    return Object.values(value).some((item) => holds(item, [key, ...rest].filter(Boolean)));
  if (step === 'anyOf') return holds(value, rest);
  return key in value && holds((value as Record<string, unknown>)[key], rest);
}

describe.each(QUESTIONS.map((question: Question) => ({ name: question.name, question })))(
  'the goldens of $name',
  ({ name, question }) => {
    const result = asOfOld(question.result) as Schema;
    const goldens = [...goldensOf(name)];
    const check = resultCheck(result);

    it.each(goldens)('are what the schema says today: %s', (_case, golden) => {
      expect(check(golden)).toBeUndefined();
    });

    it('are still what it says once a field has been added', () => {
      const { properties = {}, required = [] } = question.result;
      const grown = {
        ...question.result,
        properties: { ...properties, younger: {} },
        required: [...required, 'younger'],
      };
      const isFine = resultCheck(asOfOld(question.result.properties ? grown : question.result) as Schema);
      for (const [, golden] of goldens) expect(isFine(golden)).toBeUndefined();
    });

    it('stand beside examples that are what it says, with every field of today', () => {
      const isWhole = resultCheck(question.result, RESULT_PARTS);
      const { example, rest } = question;
      for (const one of [example, ...rest.flatMap((route) => route.example ?? [])]) {
        expect(isWhole(one)).toBeUndefined();
      }
    });

    it('notice every field of theirs that is removed or renamed', () => {
      const unnoticed: string[] = [];
      const tried = new Set<string>();
      for (const place of fieldsOf(result)) {
        // `npm test` takes a field of each object away: that none is missing from an object is told of all alike.
        const tries = isFullForm() ? place : place.slice(0, -2);
        if (tried.has(tries.join('.'))) continue;
        const showing = goldens.filter(([, golden]) => holds(golden, place));
        if (showing.length === 0) continue;
        tried.add(tries.join('.'));
        const isFine = resultCheck(without(result, place));
        if (showing.every(([, golden]) => isFine(golden) === undefined)) unnoticed.push(place.join('.'));
      }
      expect(unnoticed).toEqual([]);
      noteFigures(`${tried.size} times, each was noticed`);
      expect(tried.size).toBeGreaterThan(0);
    });
  },
);
