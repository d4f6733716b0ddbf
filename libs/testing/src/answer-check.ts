import { readFileSync } from 'node:fs';
import { schemaJudge, strictSchema } from './strict-schema';

type Json = Readonly<Record<string, unknown>>;

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Throws where an answer is not what the API description says. */
export type AnswerCheck = (method: string, path: string, answer: CheckedAnswer) => void;

const UNKNOWN_ADDRESS = ['components', 'schemas', 'Error.NOT_FOUND'];
const JSON_BODY = ['content', 'application/json', 'schema'];

/**
 * Holds answers against an OpenAPI 3.1 file: status, headers that are always there, media type and body, each as
 * strictly as the services keep it (strictSchema).
 * @param file - absolute path of the JSON file
 */
export function answerCheck(file: string): AnswerCheck {
  const document = strictSchema(JSON.parse(readFileSync(file, 'utf8'))) as Json;
  const ajv = schemaJudge();
  // Unchecked: a description is no schema, and compiling what schemas are checked against takes longer than all else here.
  ajv.addSchema({ $id: 'api', ...document }, undefined, false, false);
  const base = String(at(document, ['servers', '0', 'url'])).replace(/\/$/, '');
  const templates = Object.keys(at(document, ['paths']) as Json);

  const validate = (pointer: readonly string[], value: unknown, what: string): void => {
    const reference = `api#/${pointer.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')}`;
    const isValid = ajv.getSchema(reference);
    if (!isValid) throw new Error(`${what}: the description has no ${reference}`);
    if (!isValid(value)) throw new Error(`${what}: ${ajv.errorsText(isValid.errors, { dataVar: 'body' })}`);
  };

  return (method, path, answer) => {
    const what = `${method} ${path} -> ${answer.status}`;
    const [pathname = ''] = path.split('?');
    const template = templateOf(templates, base, pathname);
    if (template === undefined) {
      if (answer.status !== 404 && answer.status !== 429)
        throw new Error(`${what}: unknown addresses are 404`);
      if (answer.status === 404 && method !== 'HEAD')
        validate(UNKNOWN_ADDRESS, JSON.parse(answer.text), what);
      return;
    }
    const item = at(document, ['paths', template]) as Json;
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const isKnown = verb in item;
    const described = isKnown ? verb : (Object.keys(item).find((key) => key !== 'parameters') ?? '');
    if (!isKnown && answer.status !== 405) throw new Error(`${what}: other methods are 405`);
    const pointer = resolved(document, ['paths', template, described, 'responses', String(answer.status)]);
    const response = pointer ? (at(document, pointer) as Json) : undefined;
    if (!pointer || !response) throw new Error(`${what}: this status is not documented`);
    for (const name of Object.keys(response.headers ?? {})) {
      checkHeader(name, resolved(document, [...pointer, 'headers', name]) ?? []);
    }
    checkBody();

    function checkHeader(name: string, header: readonly string[]): void {
      const value = answer.headers.get(name);
      if (value === null) {
        if (at(document, [...header, 'required']) === true) throw new Error(`${what}: no header ${name}`);
        return;
      }
      const isInteger = at(document, [...header, 'schema', 'type']) === 'integer' && /^\d+$/.test(value);
      validate([...header, 'schema'], isInteger ? Number(value) : value, `${what}, header ${name}`);
    }

    function checkBody(): void {
      if (method === 'HEAD' || response?.content === undefined) {
        if (answer.text !== '') throw new Error(`${what}: a body where none is described`);
        return;
      }
      const type = answer.headers.get('content-type') ?? 'none';
      if (!/^application\/json(;|$)/.test(type)) throw new Error(`${what}: media type ${type}`);
      validate([...(pointer ?? []), ...JSON_BODY], JSON.parse(answer.text), what);
    }
  };
}

/** The path of the description that an address belongs to; one without a parameter comes first. */
function templateOf(templates: readonly string[], base: string, pathname: string): string | undefined {
  if (!pathname.startsWith(`${base}/`)) return undefined;
  const own = pathname.slice(base.length).replace(/(.)\/$/, '$1');
  const pattern = (template: string) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  return (
    templates.find((template) => template === own) ??
    templates.find((template) => template.includes('{') && pattern(template).test(own))
  );
}

/** Where a pointer leads once its reference, if it is one, is followed. */
function resolved(document: Json, pointer: readonly string[]): readonly string[] | undefined {
  const found = at(document, pointer);
  if (found === undefined) return undefined;
  const reference = (found as Json).$ref;
  return typeof reference === 'string' ? reference.slice(2).split('/') : pointer;
}

function at(document: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((part, step) => (part as Json | undefined)?.[step], document);
}
