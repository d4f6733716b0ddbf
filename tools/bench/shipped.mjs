// @ts-check
// What is measured is started as the images start it (docker/Dockerfile).
import { join } from 'node:path';
import { nodeOptionsOf, root, serviceEnvironmentOf } from '../local/settings.mjs';

/**
 * V8 options: those that a service is shipped with, or others to try, as in BENCH_NODE_ARGS="--max-semi-space-size=4".
 * @param {string} app @returns {string[]}
 */
export function shippedNodeArgsOf(app) {
  return (process.env['BENCH_NODE_ARGS'] ?? nodeOptionsOf(app)).split(' ').filter(Boolean);
}

/** What the images set, beside what is set here. @param {string} app @returns {NodeJS.ProcessEnv} */
export function shippedEnvironmentOf(app) {
  return { ...process.env, ...serviceEnvironmentOf(app), NODE_ENV: 'production' };
}

/** @param {string} app @param {readonly string[]} [more] Further arguments of Node. @returns {string[]} */
export function shippedCommand(app, more = []) {
  return [process.execPath, ...shippedNodeArgsOf(app), ...more, join(root, 'apps', app, 'dist/main.js')];
}
