// @ts-check
import { createServer } from 'node:net';
import { Failure } from './failure.mjs';

/**
 * @param {number} port
 * @param {string} [host] All addresses unless told.
 * @returns {Promise<boolean>}
 */
export function isFree(port, host) {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => answer(true)));
  });
}

/** @returns {Promise<number>} A port of 127.0.0.1 that nobody uses. */
export function freePort() {
  return new Promise((answer, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => answer(address && typeof address === 'object' ? address.port : 0));
    });
  });
}

/**
 * @param {import('./settings.mjs').Port[]} ports
 * @throws {Failure} One line for each port that is taken or given twice.
 */
export async function requireFree(ports) {
  const lines = await Promise.all(
    ports.map(async ({ variable, port }, index) => {
      const twin = ports.slice(0, index).find((other) => other.port === port);
      if (twin) return `Port ${port} is given to both ${twin.variable} and ${variable}: change one of them.`;
      if (await isFree(port)) return '';
      const other = port + (port < 65000 ? 100 : -100);
      return `Port ${port} is taken: stop what uses it, or choose another, as in ${variable}=${other} npm start.`;
    }),
  );
  const taken = lines.filter(Boolean);
  if (taken.length > 0) throw new Failure(taken.join('\n'));
}
