/** Servers that `npm test` started, the database there that has the newest schema, and what child processes of tests inherit. */
export function testServerSetting(name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL' | 'TEST_TEMPLATE'): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set. Run the tests through "npm test", which starts the servers.`);
  return value;
}

/**
 * The search path, so that children find Node, and where compiled code is kept, so that they need not compile it anew;
 * nothing else of the surrounding environment reaches them.
 */
export function inheritedEnvironment(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

/** How many processes of each service the suites start: one unless TEST_PODS says otherwise. */
export function podsPerService(): number {
  const count = Number(process.env.TEST_PODS ?? 1);
  if (!Number.isInteger(count) || count < 1) throw new Error('TEST_PODS takes a whole number from 1 on.');
  return count;
}

/** Hands a value to the processes of the tests, which inherit the environment of the global set-up. */
export function publishToSuites(name: string, value: unknown): void {
  process.env[variableOf(name)] = JSON.stringify(value);
}

/** @throws Error where nothing of that name was handed over */
export function publishedToSuites(name: string): unknown {
  const text = process.env[variableOf(name)];
  if (text === undefined) throw new Error(`The global set-up published nothing as ${name}.`);
  return JSON.parse(text);
}

const variableOf = (name: string) => `TEST_PUBLISHED_${name.replaceAll('-', '_').toUpperCase()}`;
