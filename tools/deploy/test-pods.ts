// The section of verify:deploy that runs what the chart's Job, pods and tests run, without a kubelet.
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { build } from '../local/install.mjs';
import { freePort } from '../local/ports.mjs';
import { ensureLocalDirectory, requireFreeSpace } from '../local/settings.mjs';
import { loginsOf, newCluster } from '../reliability/empty-cluster.ts';
import { withInstallation, type App, type Installation, type Running } from '../reliability/installation.ts';
import { queryAs } from '../reliability/stored-rows.ts';
import { renderWith } from './chart.ts';
import type { Promised } from './cluster.ts';
import type { Manifest } from './manifests.ts';
import { runPod, Services, variablesOf } from './pods.ts';

const apps: readonly App[] = ['read-api', 'ingest-api', 'mcp-gateway', 'analysis-worker'];
const database = 'chart';
/** An installation with the chart's own values, and an Ingress that agents come in by. */
const values = ['mcpGateway.ingress.enabled=true', 'mcpGateway.ingress.host=mcp.example.com'];
/** Ports are free ones here, and nobody waits for a load balancer. */
const ownVariables = ['PORT', 'MANAGEMENT_PORT', 'DRAIN_DELAY_MS'];

export async function verifyTestPods(promise: Promised, helm: string) {
  const title =
    'what the migration Job, the pods and helm test run works together, and the tests find what does not';
  await promise(title, async () => {
    ensureLocalDirectory();
    await requireFreeSpace(1_000);
    await build(new AbortController().signal);
    let said = '';
    await withInstallation(async (installation) => {
      said = await playChart(installation, renderWith(helm, values));
    });
    return said;
  });
}

/** @param ending Of its name. */
function find(objects: Manifest[], kind: string, ending: string): Manifest {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.endsWith(ending));
  if (!found) throw new Failure(`the chart has no ${kind} ${ending}`);
  return found;
}

async function playChart(installation: Installation, objects: Manifest[]) {
  const postgres = await newCluster(installation, database, database);
  const logins = loginsOf(postgres.owner);
  const urlOf = (name: string) => logins[`${name.toUpperCase().replace('-', '_')}_DATABASE_URL`] ?? '';
  const names = [...apps, 'cli'];
  const cluster = {
    namespace: 'outcomes',
    secrets: {
      'outcomes-redis': { url: installation.redisUrl },
      'outcomes-database': {
        owner: postgres.owner,
        ...Object.fromEntries(names.map((name) => [name, urlOf(name)])),
      },
    },
    hosts: '/etc/hosts',
  };
  const services = new Services();
  try {
    const migrated = await runPod(find(objects, 'Job', '-migrations'), cluster);
    if (migrated.code !== 0) throw new Failure(`the migration Job failed:\n${migrated.output}`);
    const start = (app: App, changes: Record<string, string> = {}) => {
      const all = variablesOf(find(objects, 'Deployment', `-${app}`), cluster);
      const environment = Object.fromEntries(
        Object.entries(all).filter(([name]) => !ownVariables.includes(name)),
      );
      return installation.start(app, { environment: { ...environment, ...changes } });
    };
    const portOf = (running: { url: string }) => Number(new URL(running.url).port);
    const running: Record<string, Running> = {};
    for (const app of apps) running[app] = await start(app);
    await services.open(objects, (app) => running[app] && portOf(running[app]));
    cluster.hosts = services.writeHosts(join(installation.directory, 'hosts'));
    const answers = find(objects, 'Pod', '-test-answers');
    const doctor = find(objects, 'Pod', '-test-doctor');
    const expected = async (pod: Manifest, isWell: boolean, what: string) => {
      const { code, output } = await runPod(pod, cluster);
      if ((code === 0) !== isWell)
        throw new Failure(`${what}: ${pod.metadata.name} ends with ${code}\n${output}`);
      return output;
    };
    const asked = await expected(answers, true, 'an installation that is well');
    await expected(doctor, true, 'an installation that is well');

    const strict = await start('mcp-gateway', { MCP_PUBLIC_HOSTS: '' });
    services.to('outcomes-mcp-gateway', portOf(strict));
    await expected(answers, false, 'mutation: a gateway that knows no name of its own');
    services.to('outcomes-mcp-gateway', portOf(running['mcp-gateway'] as any));
    services.to('outcomes-ingest-api', await freePort());
    await expected(answers, false, 'mutation: an ingest API that is away');
    services.to('outcomes-ingest-api', portOf(running['ingest-api'] as any));
    await queryAs(postgres.owner, 'REVOKE INSERT ON outcome_events FROM outcomes_ingest');
    await expected(doctor, false, 'mutation: a service that may not store what it takes');
    await queryAs(postgres.owner, 'GRANT INSERT ON outcome_events TO outcomes_ingest');
    await expected(answers, true, 'everything put back');
    await expected(doctor, true, 'everything put back');
    const questions = asked.split('\n').filter((line) => line.startsWith('ok')).length;
    return `${apps.length} services, ${questions} questions without a key, the doctor with every login; 3 mutations found`;
  } finally {
    await installation.stop();
    await services.close();
    await postgres.life.stop();
  }
}
