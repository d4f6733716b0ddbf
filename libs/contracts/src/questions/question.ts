import type { ErrorCode } from '../errors/catalogue';
import type { ToolName } from './parts/tool-names';
import type { ObjectOf, Properties, Schema, TypeOf } from '../schemas/json-schema';

/** How the read API serves a question: one GET. */
export interface RestRoute {
  /** Below the base path. `{name}` stands for the argument that `inPath` gives it. */
  readonly path: `/${string}`;
  /** Id of the operation in the API description. */
  readonly operation: string;
  /** The sentence that the answer carries as its `message`. */
  readonly says: string;
  /** The sentence in its place where the data is an empty list or object: why, and what to do. */
  readonly empty?: string;
  readonly summary: string;
  readonly description: string;
  /** The arguments that stand in the path, by their names there; all others are query parameters. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** Arguments that cannot be asked together with those in the path: they are not taken here. */
  readonly without?: readonly string[];
  /** Errors beside those that every read may have. */
  readonly fails?: readonly ErrorCode[];
  /** A long answer is sent as it is read, and then has no ETag. */
  readonly mayStream?: boolean;
  /** Its pages are linked to each other. */
  readonly isPaged?: boolean;
  /** It is another answer each time, so that none is ever "not modified". */
  readonly everNew?: boolean;
  /** A result in full, where this address answers otherwise than the question's example. */
  readonly example?: unknown;
}

/** How the MCP server serves a question. */
export interface ToolText {
  readonly name: ToolName;
  readonly title: string;
  /** What it answers, when to use it, what to use instead, what an empty answer means, what it costs. */
  readonly description: string;
}

/** What can be asked, once for all faces: arguments, result, addresses and words. */
export interface Question {
  /** Name of the result among the schemas of the API description. */
  readonly name: string;
  readonly arguments: Properties;
  readonly required: readonly string[];
  /** What an argument with a wrong value is refused with, where that is not INVALID_PARAMETER. */
  readonly refusals?: Readonly<Record<string, ErrorCode>>;
  readonly result: Schema;
  /** The result is a document that a run left: what is said of the run stands beside it, in the envelope. */
  readonly ofRun?: boolean;
  readonly rest: readonly [RestRoute, ...RestRoute[]];
  readonly tool?: ToolText;
  /** A result in full. */
  readonly example: unknown;
}

/** Declares a question; its types are those of its schemas. */
export const question = <const Of extends Question>(of: Of & { readonly example: Answer<Of> }): Of => of;

/** What a question answers. */
export type Answer<Of extends Pick<Question, 'result'>> = TypeOf<Of['result']>;

/** What a question takes. */
export type Arguments<Of extends Pick<Question, 'arguments' | 'required'>> = ObjectOf<
  Of['arguments'],
  Exclude<keyof Of['arguments'], Of['required'][number]>
>;

/** The schema of a question's arguments: closed. */
export function argumentsSchemaOf({ arguments: properties, required }: Question): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}
