import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUESTIONS, type Question, type Schema } from '@outcomes/contracts';

const committed = (file: string): unknown => JSON.parse(readFileSync(join(__dirname, '../..', file), 'utf8'));

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}
interface Listed {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

const { tools } = committed('mcp-gateway/tool-definitions.json') as { readonly tools: readonly Listed[] };
const { components, paths } = committed('read-api/openapi.json') as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters?: readonly Parameter[] } }>>;
};
const { schemas } = components;
const listed = (name: string): Listed | undefined => tools.find((tool) => tool.name === name);

/** What kind of value a schema describes, in a word. */
function kindOf(schema: Schema | undefined): unknown {
  if (schema?.anyOf) return schema.anyOf.map(kindOf);
  const { type, $ref, format, minimum, maximum, const: fixed, items } = schema ?? {};
  if (typeof $ref === 'string') return kindOf(schemas[$ref.split('/').at(-1) ?? '']);
  const ofItems = items === undefined ? undefined : (kindOf(items as Schema) as { type?: string }).type;
  const known = schema?.['x-known-values'];
  return { type, format, minimum, maximum, fixed, ofItems, ...(format === undefined && { known }) };
}

/** Where two descriptions of one result differ, field by field. */
function differences(rest: Schema, mcp: Schema): string[] {
  const [ours, theirs] = [rest.properties ?? {}, mcp.properties ?? {}];
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  const faults = names.flatMap((name) => {
    if (!(name in ours) || !(name in theirs)) return [`${name}: on one face only`];
    const kinds = [kindOf(ours[name]), kindOf(theirs[name])].map((kind) => JSON.stringify(kind));
    const words = [ours[name]?.description, theirs[name]?.description];
    if (kinds[0] !== kinds[1]) return [`${name}: ${kinds.join(' | ')}`];
    // The tool has the same words, or those of the first sentence.
    const isSame = words[1] === undefined || words[0] === words[1] || words[0]?.startsWith(`${words[1]} `);
    return isSame ? [] : [`${name}: described twice`];
  });
  const required = [rest.required, mcp.required].map((all) => JSON.stringify([...(all ?? [])].sort()));
  return required[0] === required[1] ? faults : [...faults, `required: ${required.join(' | ')}`];
}

const asked = QUESTIONS.flatMap((question: Question) =>
  question.tool ? [{ name: question.name, question, tool: question.tool }] : [],
);

describe.each(asked)('$name', ({ name, question, tool }) => {
  const rest = schemas[name] as Schema;
  const mcp = listed(tool.name)?.outputSchema as Schema;

  it('has one result on both interfaces', () => {
    expect(Object.keys(mcp.properties ?? {}).length).toBeGreaterThan(8);
    expect(differences(rest, mcp)).toEqual([]);
  });

  it('would be caught with a field renamed, retyped, described anew or no longer promised', () => {
    const [first = '', ...others] = Object.keys(question.result.properties ?? {}).filter(
      (field) => mcp.properties?.[field]?.description !== undefined,
    );
    expect(others.length).toBeGreaterThan(0);
    const { [first]: field, ...properties } = mcp.properties ?? {};
    const mutants: Schema[] = [
      { ...mcp, properties: { ...properties, [`${first}_`]: field as Schema } },
      { ...mcp, properties: { ...properties, [first]: { ...field, anyOf: undefined, type: 'null' } } },
      { ...mcp, properties: { ...properties, [first]: { ...field, description: 'Other words.' } } },
      { ...mcp, required: mcp.required?.filter((other) => other !== first) },
    ];
    for (const mutant of mutants) expect(differences(rest, mutant)).not.toEqual([]);
  });

  it('takes the same arguments on both interfaces, in the same words', () => {
    const { tenant_id: _tenant, ...taken } = listed(tool.name)?.inputSchema.properties as Record<
      string,
      Schema
    >;
    for (const { path, inPath = {}, without = [] } of question.rest) {
      const parameters = (paths[path]?.get.parameters ?? []).map((parameter) => [
        inPath[parameter.name] ?? parameter.name,
        { ...parameter.schema, description: parameter.description },
      ]);
      const here = Object.entries(taken).filter(([name]) => !without.includes(name));
      expect(Object.fromEntries(parameters)).toEqual(Object.fromEntries(here));
    }
  });
});

/** Every schema inside a part of a description. */
function* within(part: unknown): Generator<Record<string, unknown>> {
  if (typeof part !== 'object' || part === null) return;
  yield part as Record<string, unknown>;
  for (const inner of Object.values(part)) yield* within(inner);
}

describe('what answers', () => {
  const results = Object.entries(schemas).filter(([name]) => !name.startsWith('Error.'));

  it('lists no value for good: a new one breaks no generated client', () => {
    for (const answered of [...results, ...tools.map((tool) => [tool.name, tool.outputSchema] as const)])
      for (const schema of within(answered[1]))
        expect([answered[0], schema.enum]).toEqual([answered[0], undefined]);
  });

  it('names the values known today', () => {
    const lists = [...within(results)].filter((schema) => Array.isArray(schema['x-known-values']));
    expect(lists.length).toBeGreaterThan(20);
  });
});

describe('what is taken', () => {
  it('lists its values for good', () => {
    const open = tools.flatMap((tool) => [...within(tool.inputSchema)]);
    expect(open.filter((schema) => 'x-known-values' in schema)).toEqual([]);
    expect(open.filter((schema) => Array.isArray(schema.enum)).length).toBeGreaterThan(5);
  });
});

describe('tools/list', () => {
  it('is read at the start of every conversation: at most 28,000 characters', () => {
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(28_000);
  });
});
