// @ts-check
// What a kubelet would run of the chart, as processes of this machine: commands and variables are those of the manifests,
// Secrets are resolved, Services lead to processes under their own names and ports.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { Switch } from '../topology/switch.mjs';

/** @typedef {import('./manifests.mjs').Manifest} Manifest */
/** @typedef {Readonly<Record<string, Readonly<Record<string, string>>>>} Secrets By name, then by key. */
/** @typedef {{ code: number, output: string }} Ending */

/** The entry point of docker/Dockerfile, from the folder of the application. */
const entryPoint = ['node', 'dist/main.js'];
const timeout = 120_000;

/** @param {Manifest} object A Pod, or what makes some. */
function containerOf(object) {
  return (object['spec'].template?.spec ?? object['spec']).containers[0];
}

/**
 * The variables of a pod as its processes see them.
 * @param {Manifest} object
 * @param {{ namespace: string, secrets: Secrets }} cluster
 * @returns {Record<string, string>}
 */
export function variablesOf(object, { namespace, secrets }) {
  /** @type {Record<string, string>} */
  const variables = {};
  for (const { name, value = '', valueFrom } of containerOf(object).env ?? []) {
    const secret = valueFrom?.secretKeyRef;
    const found = secret ? secrets[secret.name]?.[secret.key] : value;
    if (found === undefined) throw new Failure(`${name}: there is no ${secret.key} in Secret ${secret.name}`);
    variables[name] = valueFrom?.fieldRef
      ? namespace
      : found.replace(
          /\$\((\w+)\)/g,
          (/** @type {string} */ whole, /** @type {string} */ other) => variables[other] ?? whole,
        );
  }
  return variables;
}

/**
 * Runs the command line's image as a pod does, to its end.
 * @param {Manifest} object
 * @param {{ namespace: string, secrets: Secrets, hosts: string }} cluster `hosts`: a file of names that it knows.
 * @returns {Promise<Ending>}
 */
export async function runPod(object, { hosts, ...cluster }) {
  const { command = entryPoint, args = [] } = containerOf(object);
  const own = [...command, ...args].map((/** @type {string} */ word) =>
    word === 'node' ? process.execPath : word,
  );
  // A pod has its own names; here it gets them in a mount namespace of its own.
  const inside = ['sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', hosts, ...own];
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return run(['unshare', ...asRoot, '--mount', ...inside], {
    cwd: join(root, 'apps/outcomes-cli'),
    env: { PATH: process.env['PATH'] ?? '', ...variablesOf(object, cluster) },
    timeout,
  });
}

/** Addresses of this machine under the names of Services, each with the Service's own port. */
export class Services {
  /** @type {Map<string, { address: string, line: Switch }>} */
  #lines = new Map();

  /**
   * @param {Manifest[]} objects
   * @param {(app: string) => number | undefined} portOf Where an application listens; undefined where it does not run.
   */
  async open(objects, portOf) {
    for (const { kind, metadata, spec } of objects.map((object) => ({ ...object, spec: object['spec'] }))) {
      const app = kind === 'Service' ? spec.selector['app.kubernetes.io/component'] : undefined;
      const [http] = (kind === 'Service' ? spec.ports : []).filter(
        (/** @type {any} */ port) => port.name === 'http',
      );
      const target = app && http ? portOf(app) : undefined;
      if (target === undefined) continue;
      const address = `127.0.0.${20 + this.#lines.size}`;
      await expectFree(address, http.port);
      this.#lines.set(metadata.name, { address, line: await new Switch(target).open(address, http.port) });
    }
    return this;
  }

  /** @param {string} name Of a Service. @param {number} target Where it leads from now on. */
  to(name, target) {
    this.#lines.get(name)?.line.to(target);
  }

  /** @param {string} file Written as a file of hosts. */
  writeHosts(file) {
    const lines = [...this.#lines].map(([name, { address }]) => `${address} ${name}`);
    writeFileSync(file, `127.0.0.1 localhost\n${lines.join('\n')}\n`);
    return file;
  }

  async close() {
    await Promise.all([...this.#lines.values()].map(({ line }) => line.close()));
  }
}

/** @param {string} address @param {number} port */
async function expectFree(address, port) {
  const server = createServer();
  const error = await Promise.race([
    once(server.listen(port, address), 'listening').then(() => undefined),
    once(server, 'error').then(([failure]) => failure),
  ]).catch((failure) => failure);
  if (error) throw new Failure(`NOT RUN: ${address}:${port} cannot be listened on (${error.code}).`);
  await new Promise((resolve) => server.close(resolve));
}
