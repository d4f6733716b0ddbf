import { COMMON_FIELDS, type Question, type Schema } from '@outcomes/contracts';

/**
 * The first level of what a question answers. tools/list is read at the start of every conversation, so what is inside
 * lists and objects stands in the API description alone, the common fields without words, and of all others the first
 * sentence.
 */
export function outputSchemaOf({ result: { type, properties = {}, required } }: Question): Schema {
  const shallow = Object.entries(properties).map(([name, schema]) => {
    const { description, ...form } = formOf(schema);
    return [
      name,
      COMMON_FIELDS.has(name) ? form : { ...form, description: firstSentenceOf(description) },
    ] as const;
  });
  return { type, properties: Object.fromEntries(shallow), required };
}

/** `e.g. x` ends none: a sentence begins with a capital. */
function firstSentenceOf(text = ''): string {
  return text.split(/(?<=\.) (?=[A-Z])/)[0] ?? '';
}

function formOf({ description, type, anyOf, items, ...more }: Schema): Schema {
  if (anyOf) return { anyOf: anyOf.map(formOf), description };
  if (type === 'array') return { type, items: { type: typeOf(items as Schema) }, description };
  return type === 'object' ? { type, description } : { type, ...more, description };
}

/** What is kept by name in the API description is an object, but for the codes of alerts. */
function typeOf({ type, $ref }: Schema): string | undefined {
  return $ref === undefined ? type : 'string';
}
