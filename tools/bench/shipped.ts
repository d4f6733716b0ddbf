// What is measured is started as the images start it (docker/Dockerfile).
import { isReady } from '../local/installation.mjs';
import { freePort } from '../local/ports.mjs';
import { nodeOptionsOf, programOf, root, serviceEnvironmentOf } from '../local/settings.mjs';
import type { Servers } from './servers.ts';

/** Of each service the name of its login. */
export const loginNames = {
  'ingest-api': 'ingestApi',
  'analysis-worker': 'analysisWorker',
  'read-api': 'readApi',
  'mcp-gateway': 'mcpGateway',
} as const;
export type App = keyof typeof loginNames;

/** A service that runs; `url` and `management` are origins. */
export interface Shipped {
  url: string;
  management: string;
  pid: number;
}

export interface ShippedOptions {
  name?: string;
  nodeArgs?: readonly string[];
  isChanged?: boolean;
  environment?: Readonly<Record<string, string>>;
}

/**
 * V8 options: those that a service is shipped with, or others to try, as in BENCH_NODE_ARGS="--max-semi-space-size=4".
 */
export function shippedNodeArgsOf(app: string): string[] {
  return (process.env['BENCH_NODE_ARGS'] ?? nodeOptionsOf(app)).split(' ').filter(Boolean);
}

/**
 * Starts a service and waits until it is ready.
 * @param options `name` of the process, that of the service unless given; `nodeArgs`, further arguments of Node;
 *   `isChanged`, whether they change classes (see programOf).
 */
export async function startShipped(
  { logins, redis, start, pid }: Servers,
  app: App,
  { name = app, nodeArgs = [], isChanged = false, environment = {} }: ShippedOptions = {},
): Promise<Shipped> {
  const [port, management] = [await freePort(), await freePort()];
  const at = (number: number) => `http://127.0.0.1:${number}`;
  await start({
    name,
    command: [process.execPath, ...shippedNodeArgsOf(app), ...nodeArgs, programOf(app, { isChanged })],
    cwd: root,
    env: {
      ...process.env,
      // What the images set.
      ...{ ...serviceEnvironmentOf(app), NODE_ENV: 'production' },
      ...{ BIND_ADDRESS: '127.0.0.1', DATABASE_URL: logins[loginNames[app]], REDIS_URL: redis },
      ...{ PORT: String(port), MANAGEMENT_PORT: String(management) },
      ...environment,
    },
    ready: () => isReady(`${at(management)}/readyz`),
  });
  return { url: at(port), management: at(management), pid: pid(name) };
}
