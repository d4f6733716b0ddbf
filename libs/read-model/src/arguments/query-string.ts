import { AppError, argumentsSchemaOf, type Question, type RestRoute, type Schema } from '@outcomes/contracts';
import { argumentCheck, type ArgumentFault, type GivenArguments } from './argument-check';

/** What a request says in its address, as HTTP servers parse it. */
export interface RequestAddress {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Reads the arguments of a question from the address of a request. They are judged by the schema that judges those of
 * MCP; only what a query string cannot say (a number, a flag) is read from its text first.
 * @throws AppError INVALID_PARAMETER naming the parameter, or what the question refuses it with. A parameter that does
 * not exist is a fault too: a misspelt one that was passed over would answer 200 to something else
 */
export function addressReader(
  question: Question,
  { inPath = {}, without = [] }: RestRoute,
): (address: RequestAddress) => GivenArguments {
  const check = argumentCheck(argumentsSchemaOf(question));
  const placed = new Set([...Object.values(inPath), ...without]);
  const asked = Object.keys(question.arguments).filter((name) => !placed.has(name));
  return ({ path, query }) => {
    const stray = Object.keys(query).find((name) => !asked.includes(name));
    if (stray !== undefined) throw unknownParameter(stray, asked);
    const given: Record<string, unknown> = {};
    for (const [parameter, name] of Object.entries(inPath)) given[name] = path[parameter];
    for (const name of Object.keys(query)) given[name] = meant(question.arguments[name], query[name]);
    const fault = check(given);
    if (fault) throw refusalOf(question, fault, given);
    return given;
  };
}

/** Digits are a number, true and false a flag, a parameter of a list may be repeated; anything else stays what it is and is refused. */
function meant(schema: Schema | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // A list of one is a parameter that is given once.
  if (schema?.type === 'array') return [value];
  if (schema?.type === 'integer' && /^\d{1,9}$/.test(value)) return Number(value);
  if (schema?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function unknownParameter(name: string, known: readonly string[]): AppError {
  const parameter = name.slice(0, 64);
  const list = known.length === 0 ? 'This address takes none' : `Known: ${known.join(', ')}`;
  const message = `Unknown query parameter ${JSON.stringify(parameter)}. ${list}.`;
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}

function refusalOf(question: Question, fault: ArgumentFault, given: GivenArguments): AppError {
  const { field } = fault;
  const code = question.refusals?.[field];
  if (code !== undefined) return new AppError(code);
  const isRepeated = Array.isArray(given[field]) && question.arguments[field]?.type !== 'array';
  const message = isRepeated ? `${field} must be given once.` : fault.message;
  return new AppError('INVALID_PARAMETER', { parameter: field }, { message });
}
