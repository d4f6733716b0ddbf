import { QUESTIONS, RESULT_PARTS, type Question, type Schema } from '@outcomes/contracts';
import { resultCheck } from '@outcomes/testing';
import { goldensOf } from './goldens';

/** Where a field stands in a schema: the keys that lead to it. */
type Place = readonly string[];

/** The same schema with what it refers to in its place. */
function inlined(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inlined);
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as Schema;
  if (typeof $ref === 'string') return inlined(RESULT_PARTS[$ref.split('/').at(-1) ?? '']);
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, inlined(inner)]));
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
  const name = place.at(-1) ?? '';
  const owner = place.slice(0, -2).reduce<unknown>((part, key) => (part as Schema)[key], copy) as {
    properties: Record<string, unknown>;
    required?: string[];
  };
  delete owner.properties[name];
  owner.required = owner.required?.filter((other) => other !== name);
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
    const { example } = question;
    const result = inlined(question.result) as Schema;
    const goldens = [...goldensOf(name)];
    const check = resultCheck(result);

    it.each(goldens)('are what the schema says today: %s', (_case, golden) => {
      expect(check(golden)).toBeUndefined();
    });

    it('stand beside an example that is, too, where there is one', () => {
      expect(example === undefined ? undefined : check(example)).toBeUndefined();
    });

    it('notice every field of theirs that is removed or renamed', () => {
      const unnoticed: string[] = [];
      let tried = 0;
      for (const place of fieldsOf(result)) {
        const showing = goldens.filter(([, golden]) => holds(golden, place));
        if (showing.length === 0) continue;
        tried += 1;
        const isFine = resultCheck(without(result, place));
        if (showing.every(([, golden]) => isFine(golden) === undefined)) unnoticed.push(place.join('.'));
      }
      expect(unnoticed).toEqual([]);
      expect(tried).toBeGreaterThan(0);
    });
  },
);
