import { answerCheck, type AnswerCheck } from './answer-check';
import { bearer, type Tenant } from './tenants';

/** What a service answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where there is none. */
  readonly body: ReturnType<JSON['parse']>;
}

export interface RequestParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Whose key it presents, where it presents one. */
  readonly as?: Pick<Tenant, 'apiKey'> | null;
}

export interface DescribedApi {
  readonly check: AnswerCheck;
  /**
   * Sends a request whose answer is what the description says.
   * @param baseUrl - origin, and what comes before the path
   * @throws Error where the answer is something else
   */
  request(baseUrl: string, path: string, parts?: RequestParts): Promise<Answer>;
}

/**
 * An API whose every answer is held against its committed description.
 * @param file - absolute path of its openapi.json
 * @param usualMethod - of requests that name none
 */
export function describedApi(file: string, usualMethod: string): DescribedApi {
  const check = answerCheck(file);
  return {
    check,
    async request(baseUrl, path, { method = usualMethod, headers = {}, body, as } = {}) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { ...(as && bearer(as)), ...headers },
        ...(body !== undefined && { body: new Uint8Array(Buffer.from(body as string)) }),
      });
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      check(method, new URL(response.url).pathname, answer);
      return { ...answer, body: answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown) };
    },
  };
}
