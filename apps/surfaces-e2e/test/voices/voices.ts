import { questionNamed, type EnvelopeFrame, type QuestionName, type RestRoute } from '@outcomes/contracts';
import { exchange, rpc } from '../exchange';
import type { PlannedCompany } from './planned-company';

/** What came as JSON: its shape is what the rules are about. */
export type Document = ReturnType<JSON['parse']>;
export type Asked = Readonly<Record<string, string | number | boolean>>;

/** One answer to one question, over one of the ways in. */
export interface Voice {
  readonly question: QuestionName;
  readonly way: 'REST' | 'MCP';
  readonly asked: Asked;
  /** The result; undefined where there was none. */
  readonly data: Document;
  /** What is said of the run: in the result, or beside a document in its envelope. */
  readonly frame: EnvelopeFrame | undefined;
  /** Why there is no result: a code of the contract and the words. */
  readonly refusal?: { readonly code: string; readonly message: string };
}

/** Everything that was said of a company, and what is true of it. */
export interface Said {
  readonly companyId: string;
  readonly plan: PlannedCompany;
  readonly voices: readonly Voice[];
  /** Answers to what is on the edge of being refused: over REST and over MCP, in turns. */
  readonly edges: readonly Voice[];
}

/** The answers to a question over REST, as they were asked for one after the other. */
export const answersTo = ({ voices }: Said, question: QuestionName): readonly Voice[] =>
  voices.filter((voice) => voice.question === question && voice.way === 'REST');

export interface Surfaces {
  readonly rest: number;
  readonly mcp: number;
  readonly apiKey: string;
}

/** Asks over REST, at the first address of the question whose path names nothing but what was asked. */
export async function read(surfaces: Surfaces, question: QuestionName, asked: Asked): Promise<Voice> {
  const { rest: routes } = questionNamed(question);
  const isNamed = ({ inPath = {} }: RestRoute) => Object.values(inPath).every((name) => name in asked);
  const route = routes.find(isNamed) ?? routes[0];
  const headers = { Authorization: `Bearer ${surfaces.apiKey}` };
  const path = `/v1${addressOf(route, asked)}`;
  const { status, body } = await exchange({ port: surfaces.rest, method: 'GET', path, headers });
  const common = { question, way: 'REST', asked } as const;
  if (status !== 200) {
    const { error, message } = body as { error: string; message: string };
    return { ...common, data: undefined, frame: undefined, refusal: { code: error, message } };
  }
  const frame = [body, body.data].find((one) => typeof one === 'object' && 'analysed_at' in one) as unknown;
  return { ...common, data: body.data, frame: frame as EnvelopeFrame | undefined };
}

/** Asks over MCP. */
export async function call(surfaces: Surfaces, question: QuestionName, asked: Asked): Promise<Voice> {
  const params = { name: questionNamed(question).tool?.name, arguments: asked };
  const { body } = await exchange(rpc(surfaces.mcp, surfaces.apiKey, 'tools/call', params));
  const common = { question, way: 'MCP', asked } as const;
  const { structuredContent: data, content, isError } = body.result;
  if (isError !== true) return { ...common, data, frame: data };
  const { error } = JSON.parse(content[0].text as string) as { error: { code: string; message: string } };
  return { ...common, data: undefined, frame: undefined, refusal: error };
}

function addressOf({ path, inPath = {} }: RestRoute, asked: Asked): string {
  const placed = new Set(Object.values(inPath));
  const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(asked[inPath[name] ?? ''])),
  );
  const query = Object.entries(asked).filter(([name]) => !placed.has(name));
  const text = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? address : `${address}?${text}`;
}
