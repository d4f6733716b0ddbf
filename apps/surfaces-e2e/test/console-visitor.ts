import { freePort } from '@outcomes/testing';
import type { Installation } from './installation';

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: ReturnType<JSON['parse']>;
}

/** A console of an installation, under the address that people open. */
export async function startConsole(
  installation: Installation,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  await installation.start('console', {
    ...{ PORT: port, CONSOLE_ORIGIN: origin, ADDRESS_BURST_LIMIT: '100000' },
    ...environment,
  });
  return origin;
}

/** A browser without a page: it keeps the cookie, and says where its requests come from. */
export class ConsoleVisitor {
  cookie: string | undefined;

  constructor(readonly origin: string) {}

  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ConsoleAnswer> {
    const answer = await fetch(`${this.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(method !== 'GET' && { Origin: this.origin }),
        ...(this.cookie !== undefined && { Cookie: this.cookie }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) this.cookie = cookie.split(';')[0];
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  get = (path: string) => this.ask('GET', path);

  async signIn({ email, password }: { email: string; password: string }): Promise<ConsoleAnswer> {
    return this.ask('POST', '/api/session', { email, password });
  }
}

/** Somebody of a company, signed in. */
export async function signedIn(
  installation: Installation,
  origin: string,
  companyId: string,
  role: string,
): Promise<ConsoleVisitor & { email: string; password: string }> {
  const email = `${role}.${companyId.slice(0, 8)}@example.com`;
  const command = ['user', 'create', '--company', companyId, '--email', email, '--role', role];
  const { password = '' } = await installation.cli(...command);
  const visitor = new ConsoleVisitor(origin);
  const person = { email, password };
  const answer = await visitor.signIn(person);
  if (answer.status !== 201) throw new Error(answer.text);
  return Object.assign(visitor, person);
}
