import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { nodeBoundToParent } from './bound-to-parent';
import { metricsOfPods } from './metrics-of-pods';
import { roundRobin } from './round-robin';
import { inheritedEnvironment, podsPerService } from './test-servers.config';
import { waitUntil } from './wait-until';

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly port: number;
  /** Its origin. */
  readonly url: string;
  /** Of the first process, where there are several. */
  readonly managementPort: number;
  /** What Prometheus says of it; see metricsOfPods. */
  metrics(): Promise<string>;
  /** Everything it wrote so far. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** What each application writes, at level info, once it has both of its ports. */
const HAS_ITS_PORTS = /"msg":"(listening|working)"/;

/**
 * Starts a built service as a process of its own and waits until readyz says yes. Where TEST_PODS says more than one,
 * that many processes start, behind a proxy that gives each request to the next of them: what is true of one pod
 * must be true of several.
 * @param entry - absolute path of its bundle/main.js
 * @param environment - its configuration; PORT and MANAGEMENT_PORT are chosen here unless given
 * @param count - of processes, as TEST_PODS says unless given
 */
export async function startServiceProcess(
  entry: string,
  environment: Readonly<Record<string, string>>,
  count = podsPerService(),
): Promise<ServiceProcess> {
  // A suite that names a port wants one process on that port.
  if (count === 1 || environment.PORT !== undefined) return startPod(entry, environment);
  const pods = await Promise.all(Array.from({ length: count }, () => startPod(entry, environment)));
  const proxy = await roundRobin();
  await proxy.use(pods);
  const [first] = pods as [ServiceProcess];
  return {
    child: first.child,
    port: proxy.port,
    url: originAt(proxy.port),
    managementPort: first.managementPort,
    metrics: () => metricsOfPods(pods.map(({ managementPort }) => managementPort)),
    output: () => pods.map((pod) => pod.output()).join(''),
    async stop(signal) {
      await Promise.all(pods.map((pod) => pod.stop(signal)));
      await proxy.close();
    },
  };
}

/** A port that was free a moment ago may be somebody else's by the time the service takes it. */
async function startPod(
  entry: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const pod = await launch(entry, environment);
    if ('port' in pod) return pod;
    if (attempt === 5 || environment.PORT !== undefined || !pod.output.includes('EADDRINUSE')) {
      throw new Error(`${entry} ended: ${pod.output}`);
    }
  }
}

/** @returns the service, or what it wrote where it ended before it was ready */
async function launch(
  entry: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess | { readonly output: string }> {
  const port = Number(environment.PORT ?? (await freePort()));
  const managementPort = Number(environment.MANAGEMENT_PORT ?? (await freePort()));
  const chunks: string[] = [];
  const child = spawn(...nodeBoundToParent(entry), {
    env: {
      ...inheritedEnvironment(),
      BIND_ADDRESS: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...environment,
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const service: ServiceProcess = {
    child,
    port,
    url: originAt(port),
    managementPort,
    metrics: () => metricsOfPods([managementPort]),
    output: () => chunks.join(''),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(force);
    },
  };
  await waitUntil(
    `${entry} to be ready`,
    async () => {
      if (child.exitCode !== null) return true;
      // Until then, whoever answers at its port is somebody else, who took it first.
      if (!HAS_ITS_PORTS.test(service.output())) return false;
      const answer = await fetch(`http://127.0.0.1:${managementPort}/readyz`).catch(() => undefined);
      return answer?.status === 200;
    },
    60_000,
  ).catch(async (error: unknown) => {
    // Left alone it would outlive the suite that gave it up.
    await service.stop('SIGKILL');
    throw error;
  });
  return child.exitCode === null ? service : { output: service.output() };
}

const originAt = (port: number) => `http://127.0.0.1:${port}`;

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
