// What is measured is started as the images start it (docker/Dockerfile).
import { join } from 'node:path';
import { nodeOptionsOf, root, serviceEnvironmentOf } from '../local/settings.mjs';

/**
 * V8 options: those that a service is shipped with, or others to try, as in BENCH_NODE_ARGS="--max-semi-space-size=4".
 */
export function shippedNodeArgsOf(app: string): string[] {
  return (process.env['BENCH_NODE_ARGS'] ?? nodeOptionsOf(app)).split(' ').filter(Boolean);
}

/** What the images set, beside what is set here. */
export function shippedEnvironmentOf(app: string): NodeJS.ProcessEnv {
  return { ...process.env, ...serviceEnvironmentOf(app), NODE_ENV: 'production' };
}

/** @param more Further arguments of Node. */
export function shippedCommand(app: string, more: readonly string[] = []): string[] {
  return [process.execPath, ...shippedNodeArgsOf(app), ...more, join(root, 'apps', app, 'dist/main.js')];
}
