// `npm run verify:images`: the images are built without Docker, and the demonstration of `npm start` runs in them.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withServers, type Servers } from '../bench/servers.ts';
import { Failure } from '../local/failure.mjs';
import { build } from '../local/install.mjs';
import { freePort } from '../local/ports.mjs';
import { program } from '../local/program.mjs';
import { ensureLocalDirectory, localDirectory, root } from '../local/settings.mjs';
import { run } from './chart.ts';

const help = `Usage: npm run verify:images -- [--base IMAGE] [--ca FILE] [--driver DRIVER] [--keep]

Builds the images of all applications with buildah from what git knows of this folder, runs them with podman
(user 10001, read-only, no capabilities) on a Postgres and a Redis of their own, and lets the image of the
command line make the demonstration company, send its history, analyse it and report, as npm start does. Then an
MCP call, an erasure, and a stop of every container, which must end with 0.

Images and layers are kept in .local/containers, so that the next run builds what changed only.

  --base IMAGE     base of every stage, in the machine's own store (the Dockerfile's own base unless told)
  --ca FILE        a certificate authority in PEM that npm has to trust while building
  --driver DRIVER  of the store: overlay unless told; vfs works everywhere and takes some 40 GB
  --keep           takes the images that are there already

Needs buildah and podman. Run it as root.`;

const store = join(localDirectory, 'containers');
const configuration = join(store, 'storage.conf');
const services = {
  readApi: 'read-api',
  ingestApi: 'ingest-api',
  mcpGateway: 'mcp-gateway',
  analysisWorker: 'analysis-worker',
  console: 'console',
};
const confinement = [
  ...['--runtime', 'runc', '--cgroup-manager', 'cgroupfs'],
  ...['run', '--rm', '--network', 'host', '--read-only', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
];
const MEBIBYTE = 1_024 ** 2;

const imageOf = (app: string) => `localhost/outcomes-${app.replace('outcomes-', '')}`;

function print(line: string, holds = true) {
  console.log(`${holds ? 'PASS' : 'FAIL'}  ${line}`);
  if (!holds) process.exitCode = 1;
}

const inspect = (image: string, field: string) =>
  run('podman', ['image', 'inspect', '--format', `{{.${field}}}`, image]).trim();

/** A store of its own, which buildah and podman find through their environment; the base comes from the machine's. */
function openStore(driver: string, base: string | undefined) {
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const carried = join(store, 'base.tar');
  rmSync(carried, { force: true });
  if (base) run('podman', ['save', '--quiet', '--output', carried, base], { timeout: 600_000 });
  const folders = `graphroot = "${join(store, 'graph')}"\nrunroot = "${join(store, 'run')}"`;
  writeFileSync(configuration, `[storage]\ndriver = "${driver}"\n${folders}\n`);
  process.env['CONTAINERS_STORAGE_CONF'] = configuration;
  if (base) run('podman', ['load', '--quiet', '--input', carried], { timeout: 600_000 });
  rmSync(carried, { force: true });
}

function buildImages({ base, ca }: { base?: string | undefined; ca?: string | undefined }) {
  const context = join(localDirectory, 'image-context');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  const archive = spawnSync(
    'sh',
    [
      '-c',
      `git ls-files -co --exclude-standard -z | tar --null -T - -cf - --ignore-failed-read | tar xf - -C '${context}'`,
    ],
    { cwd: root },
  );
  if (archive.status !== 0)
    throw new Failure(`The build context could not be made: ${String(archive.stderr)}`);
  const args = [
    ...(base ? ['--build-arg', `NODE_IMAGE=${base}`, '--pull-never'] : []),
    ...(ca ? ['--build-arg', `EXTRA_CA=${readFileSync(ca, 'utf8')}`] : []),
  ];
  for (const app of [...Object.values(services), 'outcomes-cli']) {
    const options = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--quiet', ...args];
    const file = ['--file', join(context, 'docker/Dockerfile'), '--tag', imageOf(app), context];
    run('buildah', ['bud', ...options, '--build-arg', `APP=${app}`, ...file], {
      timeout: 1_200_000,
    });
    const size = Number(inspect(imageOf(app), 'Size'));
    const user = inspect(imageOf(app), 'User');
    const above = base ? size - Number(inspect(base, 'Size')) : size;
    print(
      `image ${imageOf(app)}: ${Math.round(above / MEBIBYTE)} MiB${base ? ' above its base' : ''}, user ${user}`,
      user === '10001:10001',
    );
  }
  rmSync(context, { recursive: true, force: true });
}

const variables = (environment: Record<string, string>) =>
  Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

function startContainer(name: string, app: string, environment: Record<string, string>) {
  const child = spawn('podman', [...confinement, '--name', name, ...variables(environment), imageOf(app)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => output.push(chunk));
  const ended: Promise<number> = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  return { name, ended, output: () => output.join('') };
}

async function untilReady(url: string, output: () => string) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(200)) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Failure(`${url} did not become ready.\n${output()}`);
}

async function smoke(servers: Servers) {
  const ports = {
    ...{ readApi: await freePort(), ingestApi: await freePort(), mcpGateway: await freePort() },
    console: await freePort(),
  };
  const common = { REDIS_URL: servers.redis, LOG_LEVEL: 'warn' };
  const containers: ReturnType<typeof startContainer>[] = [];
  for (const [service, app] of Object.entries(services)) {
    const management = String(await freePort());
    const port = String(ports[service as keyof typeof ports] ?? 0);
    const container = startContainer(`verify-${app}-${process.pid}`, app, {
      ...common,
      DATABASE_URL: servers.logins[service as keyof typeof services],
      PORT: port,
      MANAGEMENT_PORT: management,
    });
    containers.push(container);
    await untilReady(`http://127.0.0.1:${management}/readyz`, container.output);
  }
  print(`${containers.length} containers are ready, read-only and without capabilities`);
  const shared = join(localDirectory, `images-${process.pid}`);
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  const cli = (...args: string[]) =>
    run(
      'podman',
      [
        ...confinement,
        ...['--volume', `${shared}:/state`],
        ...variables({
          ...common,
          DATABASE_URL: servers.logins.cli,
          READ_API_URL: `http://127.0.0.1:${ports.readApi}/v1`,
          INGEST_API_URL: `http://127.0.0.1:${ports.ingestApi}`,
          MCP_URL: `http://127.0.0.1:${ports.mcpGateway}/mcp`,
        }),
        imageOf('outcomes-cli'),
        ...args,
      ],
      { timeout: 300_000 },
    );
  try {
    const report = cli('quickstart', '--state', '/state/state.json', '--output', '/state/quickstart.json');
    print(
      `the demonstration ran in containers and found the change that it planted: ${report.split('\n').length} lines of report`,
      /^planted: reply rate down on (\S+)\n(found: .*\n)*found: Replies by email fell .* around \1 /m.test(
        report,
      ),
    );
    const { apiKey } = JSON.parse(readFileSync(join(shared, 'quickstart.json'), 'utf8'));
    const authorization = `Bearer ${apiKey}`;
    const patterns = await fetch(`http://127.0.0.1:${ports.readApi}/v1/patterns`, {
      headers: { authorization },
    });
    const { data } = (await patterns.json()) as { data: unknown[] };
    print(
      `GET /v1/patterns: ${patterns.status}, ${data.length} records`,
      patterns.status === 200 && data.length > 0,
    );
    const call = await fetch(`http://127.0.0.1:${ports.mcpGateway}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_bandit_state', arguments: {} },
      }),
    });
    const text = await call.text();
    print(
      `tools/call get_bandit_state: ${call.status}`,
      call.status === 200 && text.includes('posterior_mean'),
    );
    const erased = await fetch(`http://127.0.0.1:${ports.ingestApi}/ingest/events?recipient_id=nobody`, {
      method: 'DELETE',
      headers: { authorization },
    });
    print(`DELETE /ingest/events: ${erased.status}`, erased.status === 200);
    const doctor = cli('doctor');
    print(`outcomes doctor: ${doctor.trim().split('\n').length} lines`);
  } finally {
    for (const { name } of containers) spawnSync('podman', ['kill', '--signal', 'TERM', name]);
    const codes = await Promise.all(containers.map(({ ended }) => Promise.race([ended, delay(30_000, 137)])));
    print(
      `every container ended with 0 on SIGTERM: ${codes.join(', ')}`,
      codes.every((code) => code === 0),
    );
    rmSync(shared, { recursive: true, force: true });
  }
}

await program(async () => {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      ca: { type: 'string' },
      driver: { type: 'string', default: 'overlay' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  for (const tool of ['buildah', 'podman']) {
    if (spawnSync(tool, ['--version']).status !== 0)
      throw new Failure(`NOT RUN: there is no ${tool} on this machine.`);
  }
  ensureLocalDirectory();
  await build(new AbortController().signal);
  openStore(values.driver, values.base);
  if (!values.keep) buildImages(values);
  await withServers(smoke);
});
