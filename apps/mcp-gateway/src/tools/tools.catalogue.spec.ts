import { TOOL_NAMES, type Schema } from '@outcomes/contracts';
import committed from '../../tool-definitions.json';
import { TOOLS } from './tools.catalogue';

const definitions = TOOLS.map(({ definition }) => definition);

/** Every schema inside a schema, itself included. */
function* within(schema: Schema): Generator<Schema> {
  yield schema;
  for (const inner of Object.values(schema.properties ?? {})) yield* within(inner);
  for (const inner of schema.anyOf ?? []) yield* within(inner);
  if (schema.items) yield* within(schema.items as Schema);
}

describe('the tool definitions', () => {
  it('are the committed ones; after a change that is meant, run "npm run definitions"', () => {
    expect(JSON.parse(JSON.stringify({ tools: definitions }))).toEqual(committed);
  });

  it('are the seven of the interface', () => {
    expect(definitions.map(({ name }) => name)).toEqual(TOOL_NAMES);
  });

  it('leave tenant_id to the key', () => {
    for (const { inputSchema } of definitions) {
      expect(inputSchema.properties).toHaveProperty('tenant_id');
      expect(inputSchema.required).not.toContain('tenant_id');
    }
  });
});

describe.each(definitions)('$name', ({ name, description, inputSchema, outputSchema, annotations }) => {
  it('says when to use it and what it costs', () => {
    expect(description).toMatch(/Use this tool (when|before|right before)/);
    expect(description).toMatch(/Uses 1 call of the key's quota/);
  });

  it('is read-only', () => {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
  });

  it('takes nothing but its arguments', () => {
    expect(inputSchema.additionalProperties).toBe(false);
  });

  it('describes and bounds every argument', () => {
    for (const argument of Object.values(inputSchema.properties ?? {})) {
      expect(argument.description).toEqual(expect.stringMatching(/\S{3}/));
      const bounded =
        argument.enum ??
        argument.maximum ??
        argument.maxLength ??
        argument.maxItems ??
        argument.maxItems ??
        argument.format ??
        (argument.type === 'boolean' ? argument.default : undefined);
      expect(bounded).toBeDefined();
      if (argument.default !== undefined && typeof argument.minimum === 'number') {
        expect(argument.default).toBeGreaterThanOrEqual(argument.minimum);
        expect(argument.default).toBeLessThanOrEqual(Number(argument.maximum));
      }
    }
  });

  it('promises the common fields', () => {
    const common = ['schema_version', 'tenant_id', 'scope', 'summary', 'alerts', 'as_of', 'data_as_of'];
    expect(outputSchema.required).toEqual(expect.arrayContaining(common));
  });

  it('is written in schemas that every client takes', () => {
    for (const schema of [...within(inputSchema), ...within(outputSchema)]) {
      expect(schema).not.toHaveProperty('$schema');
      expect(schema).not.toHaveProperty('$ref');
      expect(Array.isArray(schema.type)).toBe(false);
    }
  });

  it('never speaks of a fifth or ninety-fifth percentile: intervals are 95 %', () => {
    expect(JSON.stringify({ name, description, outputSchema })).not.toMatch(/percentile|5th/i);
  });
});
