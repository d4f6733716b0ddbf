import { QUESTIONS, type Question } from '@outcomes/contracts';
import { nameOf, type Pair, type Rule } from './comparing';
import type { Document, Voice } from './voices';

const ABSENT = 'no such field';
/** The moment of an answer is its own. */
const OF_THE_MOMENT = new Set(['as_of']);
/** Each call lengthens the log of calls, so that two readings of it differ in everything but their form. */
const EVER_NEW = 'ActionAuditLog';

function* leavesOf(value: Document, path = ''): Generator<readonly [path: string, value: unknown]> {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value as object).length === 0;
  if (typeof value !== 'object' || value === null || isEmpty) yield [path, value];
  else
    for (const [key, inner] of Object.entries(value as Record<string, Document>))
      if (!OF_THE_MOMENT.has(key)) yield* leavesOf(inner, `${path}/${key}`);
}

/** Where fields stand, whatever is in them; items of lists share a place. */
function placesOf(value: Document): string[] {
  const places = new Set([...leavesOf(value)].map(([path]) => path.replaceAll(/\/\d+(?=\/|$)/g, '/*')));
  return [...places].sort();
}

function* pairsOfWays(voices: readonly Voice[]): Generator<readonly [rest: Voice, mcp: Voice]> {
  const key = ({ question, asked }: Voice) => JSON.stringify([question, asked]);
  const read = new Map(voices.filter(({ way }) => way === 'REST').map((voice) => [key(voice), voice]));
  for (const mcp of voices) {
    const rest = mcp.way === 'MCP' ? read.get(key(mcp)) : undefined;
    if (rest) yield [rest, mcp];
  }
}

/** What one way in says, the other says too. */
export const RULES_OF_WAYS: readonly Rule[] = [
  {
    name: 'a question has the same fields over REST and over MCP',
    *pairs({ voices }): Generator<Pair> {
      for (const [rest, mcp] of pairsOfWays(voices))
        if (rest.question !== EVER_NEW)
          yield { what: nameOf(mcp), one: placesOf(rest.data), other: placesOf(mcp.data) };
    },
  },
  {
    name: 'a question has the same answer over REST and over MCP',
    *pairs({ voices }): Generator<Pair> {
      for (const [rest, mcp] of pairsOfWays(voices)) {
        if (rest.question === EVER_NEW) continue;
        const other = new Map(leavesOf(mcp.data));
        for (const [path, one] of leavesOf(rest.data))
          yield { what: `${path}: ${nameOf(mcp)}`, one, other: other.has(path) ? other.get(path) : ABSENT };
        yield { what: nameOf(mcp), one: rest.refusal?.message, other: mcp.refusal?.message };
      }
    },
  },
  {
    name: 'every question is answered, and every tool',
    *pairs({ voices }): Generator<Pair> {
      for (const { name, tool } of QUESTIONS as readonly Question[])
        for (const way of tool ? ['REST', 'MCP'] : ['REST'])
          yield {
            what: `${name} over ${way}`,
            one: true,
            other: voices.some((voice) => voice.question === name && voice.way === way),
          };
    },
  },
];
