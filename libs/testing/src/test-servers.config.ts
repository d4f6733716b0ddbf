/** Servers that `npm test` started, and what child processes of tests inherit. */
export function testServerUrl(name: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string {
  const url = process.env[name];
  if (!url)
    throw new Error(`${name} is not set. Run the tests through "npm test", which starts the servers.`);
  return url;
}

/** The search path, so that children find Node; nothing else of the surrounding environment reaches them. */
export function inheritedPath(): string {
  return process.env.PATH ?? '';
}

/** How many processes of each service the suites start: one unless TEST_PODS says otherwise. */
export function podsPerService(): number {
  const count = Number(process.env.TEST_PODS ?? 1);
  if (!Number.isInteger(count) || count < 1) throw new Error('TEST_PODS takes a whole number from 1 on.');
  return count;
}
