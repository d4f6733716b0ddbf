import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Json = Readonly<Record<string, unknown>>;

/**
 * A published schema as strictly as the services keep it, though readers are told less: an object that names its
 * properties has no others, and an open enumeration says what it lists and nothing else. A field or a value that is
 * sent and not described is a finding.
 */
export function strictSchema(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(strictSchema);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, strictSchema(value)]));
  const isOpen = !('additionalProperties' in copy) || copy.additionalProperties === true;
  const isClosable = copy.type === 'object' && 'properties' in copy && isOpen;
  const known = copy['x-known-values'];
  return {
    ...copy,
    ...(isClosable && { additionalProperties: false }),
    ...(Array.isArray(known) && { enum: known as unknown[] }),
  };
}

/**
 * What validates strict schemas; keywords of descriptions are let pass. A suite compiles many schemas and asks each a few
 * times: a part that many refer to is compiled once, and nothing is optimised, which takes half as long.
 */
export function schemaJudge(): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true },
    ...{ inlineRefs: false, code: { optimize: false } },
  });
  formats(ajv);
  return ajv;
}

/** One for all results: to make one costs more than to compile a schema. */
const judge = schemaJudge();

/**
 * Holds results against a published schema.
 * @param parts - schemas that it refers to as `#/components/schemas/<name>`
 * @returns what is wrong with a value, in words; undefined where nothing is
 */
export function resultCheck(schema: Json, parts: Json = {}): (value: unknown) => string | undefined {
  let compiled: ValidateFunction | undefined;
  return (value) => {
    // With its first result: a suite prepares the checks of more results than it gets.
    const isValid = (compiled ??= judge.compile(
      strictSchema({ ...schema, components: { schemas: parts } }) as Json,
    ));
    return isValid(value)
      ? undefined
      : judge.errorsText(isValid.errors, { dataVar: 'result' }).slice(0, 2_000);
  };
}
