import type { Principal } from '@outcomes/auth';
import {
  argumentsSchemaOf,
  schema,
  type Question,
  type ResultFrame,
  type Schema,
  type ToolText,
} from '@outcomes/contracts';
import {
  argumentCheck,
  cleanText,
  type AnsweredName,
  type Answers,
  type ArgumentFault,
  type GivenArguments,
} from '@outcomes/read-model';
import { outputSchemaOf } from './output.schema';

/** The one argument that no question has: REST says it in a header. */
export const TENANT_ID = schema.text(
  'Leave out: the key says the tenant. Bootstrap credentials set it; another is permission_denied.',
  { minLength: 1, maxLength: 128 },
);

const NAMED_CHARACTERS = 64;

/** What tools/list says of a tool. */
export interface ToolDefinition extends ToolText {
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Readonly<Record<string, unknown>>;
}

export type ToolFault = Pick<ArgumentFault, 'field' | 'message' | 'expected'>;

export interface Tool {
  readonly definition: ToolDefinition;
  /** The first thing that is wrong with the arguments; undefined where they may be run. */
  check(given: GivenArguments): ToolFault | undefined;
  /** Runs with arguments that passed the check. */
  run(answers: Answers, scope: Principal['scope'], given: GivenArguments): Promise<ResultFrame>;
}

/** A question as a tool. */
export function toolOf(question: Question, { name, title, description }: ToolText): Tool {
  const inputSchema = inputSchemaOf(question);
  const check = argumentCheck(inputSchema);
  return {
    definition: {
      name,
      title,
      description,
      inputSchema,
      outputSchema: outputSchemaOf(question),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        openWorldHint: false,
      },
    },
    check(given) {
      const fault = check(given);
      return fault?.kind === 'unknown' ? unknownArgument(fault.field, name, inputSchema) : fault;
    },
    run: (answers, scope, { tenant_id: _chosen, ...query }) =>
      answers.answer(question.name as AnsweredName, scope, query),
  };
}

/** Closed, and tenant_id always among them. */
function inputSchemaOf(question: Question): Schema {
  const properties = { ...question.arguments, tenant_id: TENANT_ID };
  return argumentsSchemaOf({ ...question, arguments: properties });
}

function unknownArgument(name: string, tool: string, { properties = {} }: Schema): ToolFault {
  const field = [...cleanText(name)].slice(0, NAMED_CHARACTERS).join('');
  const known = Object.keys(properties).join(', ');
  return { field, message: `${JSON.stringify(field)} is not an argument of ${tool}. Arguments: ${known}.` };
}
