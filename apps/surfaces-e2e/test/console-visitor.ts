import { randomBytes, scryptSync } from 'node:crypto';
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

/** The console of an installation that suites share. */
export function consoleOf(installation: Installation): string {
  return installation.urlOf('console').replace('127.0.0.1', 'localhost');
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

/** Gives an account access to a company, as its owner unless told. */
export async function admit(
  { database }: Installation,
  companyId: string,
  email: string,
  role = 'owner',
): Promise<void> {
  await database.query(
    `INSERT INTO memberships (company_id, user_id, email, role, created_at)
     SELECT $1, user_id, email, $3, now() FROM users WHERE email = $2`,
    [companyId, email, role],
  );
}

/** Somebody of a company, signed in. */
export async function signedIn(
  installation: Installation,
  origin: string,
  companyId: string,
  role: string,
): Promise<ConsoleVisitor & { email: string; password: string }> {
  const email = `${role}.${companyId.slice(0, 8)}@example.com`;
  const password = randomBytes(15).toString('base64url');
  await installation.database.query(
    'INSERT INTO users (user_id, email, password, created_at) VALUES (gen_random_uuid(), $1, $2, now())',
    [email, cheapHash(password)],
  );
  await admit(installation, companyId, email, role);
  const visitor = new ConsoleVisitor(origin);
  const person = { email, password };
  const answer = await visitor.signIn(person);
  if (answer.status !== 201) throw new Error(answer.text);
  return Object.assign(visitor, person);
}

/** A hash names its parameters; with low ones, checking it does not take a fifth of a second at every sign-in. */
function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
  return `scrypt$4$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
