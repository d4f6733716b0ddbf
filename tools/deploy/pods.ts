// What a kubelet would run of the chart, as processes of this machine: commands and variables are those of the manifests,
// Secrets are resolved, Services lead to processes under their own names and ports.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { run } from '../local/processes.mjs';
import { root } from '../local/settings.mjs';
import { Switch } from '../topology/switch.ts';
import type { Manifest } from './manifests.ts';

/** By name, then by key. */
type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;
interface Ending {
  code: number;
  output: string;
}

/** The entry point of docker/Dockerfile, from the folder of the application. */
const entryPoint = ['node', 'bundle/main.js'];
const timeout = 120_000;

/** @param object A Pod, or what makes some. */
function containerOf(object: Manifest) {
  return (object['spec'].template?.spec ?? object['spec']).containers[0];
}

/** The variables of a pod as its processes see them. */
export function variablesOf(
  object: Manifest,
  { namespace, secrets }: { namespace: string; secrets: Secrets },
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { name, value = '', valueFrom } of containerOf(object).env ?? []) {
    const secret = valueFrom?.secretKeyRef;
    const found = secret ? secrets[secret.name]?.[secret.key] : value;
    if (found === undefined && secret.optional) continue;
    if (found === undefined) throw new Failure(`${name}: there is no ${secret.key} in Secret ${secret.name}`);
    variables[name] = valueFrom?.fieldRef
      ? namespace
      : found.replace(/\$\((\w+)\)/g, (whole: string, other: string) => variables[other] ?? whole);
  }
  return variables;
}

/**
 * Runs the command line's image as a pod does, to its end.
 * @param cluster `hosts`: a file of names that it knows.
 */
export async function runPod(
  object: Manifest,
  { hosts, ...cluster }: { namespace: string; secrets: Secrets; hosts: string },
): Promise<Ending> {
  const { command = entryPoint, args = [] } = containerOf(object);
  const own = [...command, ...args].map((word: string) => (word === 'node' ? process.execPath : word));
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
  #lines: Map<string, { address: string; line: Switch }> = new Map();

  /** @param portOf Where an application listens; undefined where it does not run. */
  async open(objects: Manifest[], portOf: (app: string) => number | undefined) {
    for (const { kind, metadata, spec } of objects.map((object) => ({ ...object, spec: object['spec'] }))) {
      const app = kind === 'Service' ? spec.selector['app.kubernetes.io/component'] : undefined;
      const [http] = (kind === 'Service' ? spec.ports : []).filter((port: any) => port.name === 'http');
      const target = app && http ? portOf(app) : undefined;
      if (target === undefined) continue;
      const address = `127.0.0.${20 + this.#lines.size}`;
      await expectFree(address, http.port);
      this.#lines.set(metadata.name, { address, line: await new Switch(target).open(address, http.port) });
    }
    return this;
  }

  /** @param name Of a Service. @param target Where it leads from now on. */
  to(name: string, target: number) {
    this.#lines.get(name)?.line.to(target);
  }

  /** @param file Written as a file of hosts. */
  writeHosts(file: string) {
    const lines = [...this.#lines].map(([name, { address }]) => `${address} ${name}`);
    writeFileSync(file, `127.0.0.1 localhost\n${lines.join('\n')}\n`);
    return file;
  }

  async close() {
    await Promise.all([...this.#lines.values()].map(({ line }) => line.close()));
  }
}

async function expectFree(address: string, port: number) {
  const server = createServer();
  const error = await Promise.race([
    once(server.listen(port, address), 'listening').then(() => undefined),
    once(server, 'error').then(([failure]) => failure),
  ]).catch((failure) => failure);
  if (error) throw new Failure(`NOT RUN: ${address}:${port} cannot be listened on (${error.code}).`);
  await new Promise((resolve) => server.close(resolve));
}
