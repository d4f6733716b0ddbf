import { join } from 'node:path';
import { QUESTIONS, RESULT_PARTS, type Question } from '@outcomes/contracts';
import { answerCheck, resultCheck } from '@outcomes/testing';
import type { Answer, Request } from './exchange';

/** Addresses of read-api that are pages and descriptions, not reads. */
const NO_READ = /^\/v1\/(openapi\.json|docs)/;

const isDescribed = answerCheck(join(__dirname, '../../read-api/openapi.json'));
const results: ReadonlyMap<string | undefined, ReturnType<typeof resultCheck>> = new Map(
  (QUESTIONS as readonly Question[]).map(({ tool, result }) => [
    tool?.name,
    resultCheck(result, RESULT_PARTS),
  ]),
);

/**
 * Holds what any suite is answered with against the contract: reads against the API description, tool results against
 * their question. @throws where a success is not what was promised
 */
export function held({ method, path, body }: Request, answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  if (path.startsWith('/v1/') && !NO_READ.test(path)) {
    isDescribed(method, path, { ...answer, headers: new Headers(answer.headers) });
  }
  const result = (answer.body as { result?: { structuredContent?: unknown } } | undefined)?.result;
  if (path === '/mcp' && result?.structuredContent !== undefined) {
    const { params } = JSON.parse(body ?? '{}') as { params?: { name?: string } };
    const fault = results.get(params?.name)?.(result.structuredContent);
    if (fault !== undefined) throw new Error(`${params?.name}: ${fault}`);
  }
  return answer;
}
