// A real kube-apiserver on a real etcd, for as long as a check needs them: no kubelet, no controllers.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { freePort } from '../local/ports.mjs';
import { onPath } from '../local/processes.mjs';
import { localDirectory } from '../local/settings.mjs';

const version = 'v1.34.2';
const source = join(import.meta.dirname, 'kube-apiserver');
const buildTimeout = 30 * 60_000;
const startTimeout = 90_000;

interface Answer {
  status: number;
  body: any;
  warnings: string[];
}
export type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>;

/** The program, built from its module where it was not yet; that takes minutes, and is kept in .local/. */
function findApiServer() {
  const file = join(localDirectory, 'kubernetes', `kube-apiserver-${version}`);
  if (existsSync(file)) return file;
  if (!onPath('go'))
    throw new Failure('NOT RUN: there is no go on this machine to build kube-apiserver with.');
  console.log(`Building kube-apiserver ${version} once; this takes some minutes.`);
  mkdirSync(join(localDirectory, 'kubernetes'), { recursive: true });
  const args = [
    'build',
    '-trimpath',
    '-ldflags',
    '-s -w',
    '-o',
    file,
    'k8s.io/kubernetes/cmd/kube-apiserver',
  ];
  const built = spawnSync('go', args, {
    ...{ cwd: source, encoding: 'utf8', timeout: buildTimeout },
    env: { ...process.env, GOFLAGS: '-mod=readonly -p=2' },
  });
  if (built.status !== 0)
    throw new Failure(`NOT RUN: kube-apiserver cannot be built.\n${built.stderr.slice(-2_000)}`);
  return file;
}

export async function withApiServer<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
  if (!onPath('etcd')) throw new Failure('NOT RUN: there is no etcd on this machine (Debian: etcd-server).');
  const program = findApiServer();
  const folder = mkdtempSync(join(tmpdir(), 'apiserver-'));
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  const output: string[] = [];
  const start = (command: string, args: string[]) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => output.push(String(chunk)));
    children.push(child);
  };
  try {
    const etcd = `http://127.0.0.1:${client}`;
    start('etcd', [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--unsafe-no-fsync'],
    ]);
    const token = randomBytes(24).toString('hex');
    writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
    const { privateKey } = generateKeyPairSync('rsa', {
      ...{ modulusLength: 2_048, publicKeyEncoding: { type: 'spki', format: 'pem' } },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const key = join(folder, 'accounts.key');
    writeFileSync(key, privateKey, { mode: 0o600 });
    start(program, [
      ...[`--etcd-servers=${etcd}`, `--secure-port=${port}`, '--bind-address=127.0.0.1'],
      ...[`--cert-dir=${join(folder, 'certificates')}`, `--token-auth-file=${join(folder, 'tokens.csv')}`],
      ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
      ...[
        '--service-account-issuer=https://kubernetes.default.svc',
        '--service-cluster-ip-range=10.0.0.0/24',
      ],
      // Nobody makes accounts for pods here, and no pod is to have one.
      ...['--authorization-mode=RBAC', '--disable-admission-plugins=ServiceAccount'],
    ]);
    const ask = clientOf(port, token, join(folder, 'certificates/apiserver.crt'));
    await untilReady(ask, output, children);
    return await work(ask);
  } finally {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param certificate Path. */
function clientOf(port: number, token: string, certificate: string): Ask {
  return (method, path, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port, path, method, timeout: 30_000, ca: readFileSync(certificate) },
          headers: { authorization: `Bearer ${token}`, 'content-type': type, accept: 'application/json' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          response.once('end', () => {
            const isJson = response.headers['content-type']?.includes('json');
            const warnings = ([] as string[]).concat((response.headers['warning'] as any) ?? []);
            resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text, warnings });
          });
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('no answer')));
      sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
}

async function untilReady(ask: Ask, output: string[], children: ChildProcess[]) {
  for (const deadline = Date.now() + startTimeout; Date.now() < deadline; await delay(250)) {
    if (children.some(({ exitCode }) => exitCode !== null)) break;
    const answer = await ask('GET', '/readyz').catch(() => undefined);
    if (answer?.status === 200) return;
  }
  throw new Failure(`kube-apiserver did not become ready.\n${output.join('').slice(-2_000)}`);
}
