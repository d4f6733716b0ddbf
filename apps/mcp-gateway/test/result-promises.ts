import { ALERT_CATALOGUE, QUESTIONS, RESULT_PARTS, type Question } from '@outcomes/contracts';
import { resultCheck, type Answer } from '@outcomes/testing';
import definitions from '../tool-definitions.json';

const DEFAULT_BYTES = 8_192;

/** What tools/list promises, and what the question does: the one is the first level of the other. */
const listed: ReadonlyMap<unknown, ReturnType<typeof resultCheck>> = new Map(
  definitions.tools.map(({ name, outputSchema }) => [name, resultCheck(outputSchema)]),
);
const asked: ReadonlyMap<unknown, ReturnType<typeof resultCheck>> = new Map(
  (QUESTIONS as readonly Question[]).map(({ tool, result }) => [
    tool?.name,
    resultCheck(result, RESULT_PARTS),
  ]),
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
  const faults = [listed, asked].map((checks) => checks.get(tool)?.(document));
  expect({ tool, faults }).toEqual({ tool, faults: [undefined, undefined] });
}

function asksForMore(given: unknown): boolean {
  return typeof given === 'object' && given !== null && ('limit' in given || 'top_n' in given);
}
