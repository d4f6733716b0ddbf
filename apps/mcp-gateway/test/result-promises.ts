import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { ALERT_CATALOGUE } from '@outcomes/contracts';
import definitions from '../tool-definitions.json';
import type { Answer } from './gateway-fixture';

const DEFAULT_BYTES = 8_192;

/** Strict, so that a schema that says nothing is an error too. */
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ },
});
const checks: ReadonlyMap<unknown, ValidateFunction> = new Map(
  definitions.tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]),
);

/**
 * What holds of every answer to tools/call, whatever a test asks it for: the text is the structured content, byte by
 * byte what the audit hash is of; it has the promised shape, names only alerts of the catalogue, and is small unless
 * more was asked for. The fixture holds every answer against it.
 */
export function expectPromises(tool: unknown, given: unknown, { body }: Answer): void {
  const result = body?.result;
  if (!result) return;
  const [{ text, type }, ...others] = result.content;
  expect([type, others.length]).toEqual(['text', 0]);
  const document = JSON.parse(text);
  expect(document).toMatchObject({ schema_version: '1.0.0', summary: expect.any(String) });
  for (const code of document.alerts) expect(Object.keys(ALERT_CATALOGUE)).toContain(code);
  if (!asksForMore(given)) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DEFAULT_BYTES);
  if (result.isError) return expect(result).not.toHaveProperty('structuredContent');
  expect(result.structuredContent).toEqual(document);
  const check = checks.get(tool);
  check?.(document);
  expect({ tool, faults: ajv.errorsText(check?.errors) }).toEqual({ tool, faults: 'No errors' });
}

function asksForMore(given: unknown): boolean {
  return typeof given === 'object' && given !== null && ('limit' in given || 'top_n' in given);
}
