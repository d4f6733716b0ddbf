// What a company with three keys as they come can do to a service. Each runs in a process of its own (attacker.ts),
// so that what it costs to attack is not measured as what it costs to be attacked.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { crc32, gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, exchange, headersOf, smallEvents } from '../reliability/requests.ts';

interface Target {
  url: string;
  keys: readonly string[];
  signal: AbortSignal;
}
/** Ends with the signal. */
type Attack = (target: Target) => Promise<void>;

const mebibyte = 2 ** 20;
const mcp = { Accept: 'application/json, text/event-stream' };

export const attacks: Record<string, Attack> = {
  stalled: (target) =>
    holdOpen(target, 120, { path: '/ingest/events', head: 'Transfer-Encoding: chunked', sent: '1\r\n{\r\n' }),
  announced: (target) =>
    holdOpen(target, 120, { path: '/ingest/events', head: `Content-Length: ${8 * mebibyte}`, sent: '{' }),
  unfinished: (target) =>
    holdOpen(target, 90, {
      ...{ path: '/ingest/events', head: `Content-Length: ${8 * mebibyte}` },
      sent: ' '.repeat(8 * mebibyte - 1),
    }),
  oversized: (target) =>
    holdOpen(target, 120, { path: '/ingest/events', head: `Content-Length: ${50 * mebibyte}`, sent: '{' }),
  compressed: (target) => {
    const body = gzipSync(bodyOf(smallEvents(100)));
    const headers = { 'Content-Encoding': 'gzip' };
    return loop(target, 48, (key, agent) =>
      exchange(`${target.url}/ingest/events`, {
        ...{ body, agent },
        headers: { ...headersOf(key), ...headers },
      }),
    );
  },
  'mcp-bodies': (target) =>
    holdOpen(target, 350, {
      ...{ path: '/mcp', head: `Accept: ${mcp.Accept}\r\nContent-Length: ${mebibyte}` },
      sent: ' '.repeat(mebibyte - 1),
    }),
  'mcp-free': (target) => {
    const experimental = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`c${at}`, {}]));
    const large = initialize({ experimental });
    const small = [initialize({}), rpc('ping', {}), rpc('tools/list', {})];
    let at = 0;
    return loop(target, 24, (key, agent) => {
      at += 1;
      const body = at % 8 === 0 ? large : small[at % small.length];
      return exchange(`${target.url}/mcp`, { body, agent, headers: { ...headersOf(key), ...mcp } });
    });
  },
  lists: (target) =>
    loop(target, 100, (key, agent) =>
      exchange(`${target.url}/v1/patterns/recommendation-profiles`, {
        ...{ method: 'GET', agent, headers: headersOf(key) },
      }),
    ),
  unread: (target) =>
    holdOpen(target, 100, {
      method: 'GET',
      path: '/v1/patterns/recommendation-profiles',
      head: 'X: y',
      sent: '',
    }),
  strangers: (target) =>
    loop(target, 24, (_key, agent) =>
      exchange(`${target.url}/v1/patterns`, { method: 'GET', agent, headers: headersOf(madeUpKey()) }),
    ),
  silent: (target) => holdOpen(target, 1_500, { path: '', head: '', sent: '' }),
};

/** A well-formed key that nobody has. */
function madeUpKey() {
  const text = `svc_${randomBytes(24).toString('hex')}`;
  return `${text}_${crc32(text).toString(16).padStart(8, '0')}`;
}

function rpc(method: string, params: unknown) {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
}

function initialize(capabilities: unknown) {
  return rpc('initialize', {
    ...{ protocolVersion: '2025-11-25', capabilities },
    clientInfo: { name: 'attacker', version: '1' },
  });
}

/** So many callers who ask again as soon as they are answered. */
async function loop(
  { keys, signal }: Target,
  callers: number,
  ask: (key: string, agent: Agent) => Promise<unknown>,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const caller = async (at: number) => {
    while (!signal.aborted) await ask(keys[at % keys.length] ?? '', agent).catch(() => delay(5));
  };
  await Promise.all(Array.from({ length: callers }, (_, at) => caller(at)));
  agent.destroy();
}

/**
 * Keeps so many requests open that never end, and begins each anew where it is closed.
 * @param request Nothing is sent without a path.
 */
async function holdOpen(
  { url, keys, signal }: Target,
  sockets: number,
  { method = 'POST', path, head, sent }: { method?: string; path: string; head: string; sent: string },
) {
  const { hostname, port } = new URL(url);
  const headOf = (key: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`;
  // Made once: to make it for each socket would cost this machine more than to be attacked.
  const body = Buffer.from(sent);
  const hold = async (at: number) => {
    while (!signal.aborted) {
      await new Promise((resolve) => {
        const socket = connect(Number(port), hostname)
          .on('error', () => {})
          .on('close', resolve);
        const end = () => socket.destroy();
        signal.addEventListener('abort', end, { once: true });
        socket.once('close', () => signal.removeEventListener('abort', end));
        if (path !== '') {
          socket.cork();
          socket.write(headOf(keys[at % keys.length] ?? ''));
          socket.write(body);
          socket.uncork();
        }
        // What a POST is answered is read, so that its end is seen; a stream of a GET is not.
        if (method === 'POST') socket.resume().on('end', end);
        if (signal.aborted) end();
      });
      await delay(500 + 1_000 * Math.random());
    }
  };
  await Promise.all(Array.from({ length: sockets }, (_, at) => hold(at)));
}
