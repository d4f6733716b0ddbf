// What is promised of the rendered objects, and that every promise can be broken: each mutation plants one fault in
// what the chart renders to, and the rule that it breaks must name it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { root } from '../local/settings.mjs';
import { chartDigest, kustomize } from './chart.ts';
import { parseManifests, type Manifest } from './manifests.ts';
import { check } from './rules.ts';

const committed = parseManifests(readFileSync(join(kustomize, 'base/objects.yaml'), 'utf8'));
const find = (objects: Manifest[], kind: string, name: string) => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  assert.ok(found, `${kind} ${name}`);
  return found;
};
const readApi = (objects: Manifest[]) =>
  find(objects, 'Deployment', 'outcomes-read-api')['spec'].template.spec;
const container = (objects: Manifest[]) => readApi(objects).containers[0];
const without =
  (kind: string, name: string): ((objects: Manifest[]) => unknown) =>
  (objects) => {
    objects.splice(objects.indexOf(find(objects, kind, name)), 1);
  };
const variable = (objects: Manifest[], name: string) =>
  container(objects).env.find((entry: { name: string }) => entry.name === name);

const publicOnly = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
const toInternet = (ports: number[], except: string[]) => ({
  ports: ports.map((port) => ({ port, protocol: 'TCP' })),
  to: [{ ipBlock: { cidr: '0.0.0.0/0', except } }],
});
const policyOf = (objects: Manifest[], app: string) =>
  find(objects, 'NetworkPolicy', `outcomes-${app}`)['spec'];

/** What breaks which promise. */
const mutations: Record<string, [string, (objects: Manifest[]) => unknown]> = {
  'runs as root': ['restricted profile', (o) => delete readApi(o).securityContext.runAsNonRoot],
  'has user 0': ['restricted profile', (o) => (readApi(o).securityContext.runAsUser = 0)],
  'has no seccomp profile': ['restricted profile', (o) => delete readApi(o).securityContext.seccompProfile],
  'shares the network of its host': ['restricted profile', (o) => (readApi(o).hostNetwork = true)],
  'mounts its host': [
    'restricted profile',
    (o) => (readApi(o).volumes = [{ name: 'x', hostPath: { path: '/' } }]),
  ],
  'may gain privileges': [
    'restricted profile',
    (o) => delete container(o).securityContext.allowPrivilegeEscalation,
  ],
  'is privileged': ['restricted profile', (o) => (container(o).securityContext.privileged = true)],
  'keeps capabilities': ['restricted profile', (o) => delete container(o).securityContext.capabilities],
  'adds a capability': [
    'restricted profile',
    (o) => (container(o).securityContext.capabilities.add = ['NET_ADMIN']),
  ],
  'takes a port of its host': ['restricted profile', (o) => (container(o).ports[0].hostPort = 80)],
  'has an init container as root': [
    'restricted profile',
    (o) => (readApi(o).initContainers = [{ ...container(o), securityContext: {} }]),
  ],
  'writes to its root': ['write nothing', (o) => delete container(o).securityContext.readOnlyRootFilesystem],
  'holds a token': ['no token', (o) => delete readApi(o).automountServiceAccountToken],
  'has no limit of memory': ['cannot take all memory', (o) => delete container(o).resources.limits],
  'requests nothing': ['cannot take all memory', (o) => delete container(o).resources.requests],
  'runs the latest image': ['not latest', (o) => (container(o).image = 'outcomes-read-api:latest')],
  'runs an image without a tag': ['not latest', (o) => (container(o).image = 'outcomes-read-api')],
  'holds its database URL': [
    'by reference',
    (o) =>
      Object.assign(variable(o, 'DATABASE_URL'), { valueFrom: undefined, value: 'postgres://db/outcomes' }),
  ],
  'holds a password in a URL': [
    'by reference',
    (o) => (variable(o, 'STAGE').value = 'https://user:secret@host/'),
  ],
  'brings a Secret': [
    'by reference',
    (o) => o.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'made-here' }, data: {} }),
  ],
  'asks Postgres whether it lives': [
    'they differ',
    (o) => (container(o).livenessProbe.httpGet.path = '/readyz'),
  ],
  'is ready without asking': ['they differ', (o) => (container(o).readinessProbe.httpGet.path = '/livez')],
  'has no startup probe': ['they differ', (o) => delete container(o).startupProbe],
  'is killed while it drains': ['time to drain', (o) => (readApi(o).terminationGracePeriodSeconds = 5)],
  'stops at once': ['time to drain', (o) => (variable(o, 'DRAIN_DELAY_MS').value = '0')],
  'goes before the next is ready': [
    'before the next is ready',
    (o) => (find(o, 'Deployment', 'outcomes-read-api')['spec'].strategy.rollingUpdate.maxUnavailable = 1),
  ],
  'has no disruption budget': ['disruption budget', without('PodDisruptionBudget', 'outcomes-ingest-api')],
  'has no autoscaler': ['autoscaler', without('HorizontalPodAutoscaler', 'outcomes-mcp-gateway')],
  'writes its files nowhere': [
    'folder to write to',
    (o) => delete find(o, 'Deployment', 'outcomes-cli')['spec'].template.spec.containers[0].workingDir,
  ],
  'writes as much as it likes': [
    'folder to write to',
    (o) =>
      (find(o, 'Deployment', 'outcomes-cli')['spec'].template.spec.volumes = [
        { name: 'files', emptyDir: {} },
      ]),
  ],
  'is behind a Service of too long a name': [
    'names fit',
    (o) =>
      (find(o, 'Service', 'outcomes-analysis-worker-metrics').metadata.name =
        `${'a'.repeat(40)}-analysis-worker-metrics`),
  ],
  'scales by the backlog of every release': [
    'of its own release',
    (o) =>
      find(o, 'HorizontalPodAutoscaler', 'outcomes-analysis-worker')['spec'].metrics.push({
        type: 'External',
        external: { metric: { name: 'outcomes_batches_pending' } },
      }),
  ],
  'has no denial of everything': ['is denied', without('NetworkPolicy', 'outcomes-default-deny')],
  'has no policy of its own': ['destinations', without('NetworkPolicy', 'outcomes-analysis-worker')],
  'may reach any address': [
    'destinations',
    (o) => delete find(o, 'NetworkPolicy', 'outcomes-read-api')['spec'].egress[1].to,
  ],
  'may reach any port': [
    'destinations',
    (o) => delete find(o, 'NetworkPolicy', 'outcomes-read-api')['spec'].egress[1].ports,
  ],
  'may reach the internet': [
    'destinations',
    (o) =>
      (find(o, 'NetworkPolicy', 'outcomes-read-api')['spec'].egress[1].to = [
        { ipBlock: { cidr: '0.0.0.0/0' } },
      ]),
  ],
  'sends webhooks to private networks as well': [
    'destinations',
    (o) => policyOf(o, 'analysis-worker').egress.push(toInternet([443], publicOnly.slice(1))),
  ],
  'sends webhooks over any port': [
    'destinations',
    (o) => policyOf(o, 'analysis-worker').egress.push(toInternet([443, 25], publicOnly)),
  ],
  'may reach the internet, and sends no webhooks': [
    'destinations',
    (o) => policyOf(o, 'read-api').egress.push(toInternet([443], publicOnly)),
  ],
  'shows its metrics to anybody': [
    'named callers',
    (o) => delete find(o, 'NetworkPolicy', 'outcomes-read-api')['spec'].ingress[1].from,
  ],
  'runs at a hook under policies of an earlier release': [
    'under policies of that hook',
    (o) => (find(o, 'Job', 'outcomes-migrations').metadata.annotations = { 'helm.sh/hook': 'pre-upgrade' }),
  ],
  'refuses agents under the name of its Service': [
    'refuses agents',
    (o) =>
      (find(o, 'Deployment', 'outcomes-mcp-gateway')['spec'].template.spec.containers[0].env.find(
        (entry: { name: string }) => entry.name === 'MCP_PUBLIC_HOSTS',
      ).value = 'mcp.example.com'),
  ],
  'is not migrated': ['migrates', without('Job', 'outcomes-migrations')],
};

describe('the rendered objects', () => {
  it('keep every promise', () => assert.deepEqual(check(committed), []));

  it('may let the worker reach the public Internet, where webhooks go', () => {
    const webhooks = structuredClone(committed);
    policyOf(webhooks, 'analysis-worker').egress.push(toInternet([443, 8443], publicOnly));
    assert.deepEqual(check(webhooks), []);
  });

  it("are joined by the owner's pod, which is that of the command line with other logins", () => {
    const [pod] = parseManifests(readFileSync(join(root, 'k8s/owner-pod.yaml'), 'utf8'));
    assert.ok(pod);
    assert.deepEqual(check([...committed, pod]), []);
    const own = find(committed, 'Deployment', 'outcomes-cli')['spec'].template;
    const services = find(committed, 'Job', 'outcomes-migrations')
      ['spec'].template.spec.containers[0].env.map(({ name }: any) => name)
      .filter((name: string) => name.endsWith('_DATABASE_URL'));
    const logins = ['DATABASE_URL', ...new Set<string>([...services, 'CONSOLE_DATABASE_URL'])].sort();
    const { env, ...container } = pod['spec'].containers[0];
    const { env: ownEnv, imagePullPolicy, ...ownContainer } = own.spec.containers[0];
    assert.deepEqual(container, ownContainer);
    const others = (variables: any[]) => variables.filter(({ name }) => !logins.includes(name));
    assert.deepEqual(others(env), others(ownEnv));
    assert.deepEqual(
      logins.map((login) => env.find(({ name }: any) => name === login)?.valueFrom.secretKeyRef),
      logins.map((login) => ({
        name: 'outcomes-database',
        key: login === 'DATABASE_URL' ? 'owner' : login.slice(0, -13).toLowerCase().replaceAll('_', '-'),
        ...(login !== 'DATABASE_URL' && { optional: true }),
      })),
    );
    // Otherwise a Deployment would take it for its own, and `kubectl exec deploy/outcomes-cli` might lead to it.
    const { 'app.kubernetes.io/component': component, ...labels } = pod.metadata.labels ?? {};
    for (const object of committed)
      if (object.kind === 'Deployment')
        assert.notEqual(object['spec'].selector.matchLabels['app.kubernetes.io/component'], component);
    for (const [label, value] of Object.entries(labels)) assert.equal(own.metadata.labels[label], value);
    assert.deepEqual(policyOf(committed, 'owner').egress, policyOf(committed, 'cli').egress);
  });

  it('tell the command line where tools reach ingest-api from outside, or that nobody said it', () => {
    const ofCli = find(committed, 'Deployment', 'outcomes-cli')['spec'].template.spec.containers[0].env;
    assert.deepEqual(
      ofCli.find(({ name }: any) => name === 'INGEST_API_PUBLIC_URL'),
      { name: 'INGEST_API_PUBLIC_URL', value: '' },
    );
    const production = readFileSync(join(kustomize, 'overlays/production/kustomization.yaml'), 'utf8');
    const { patches } = parse(production);
    const patch = patches.find(
      ({ target }: any) => target?.kind === 'Deployment' && target.name === 'outcomes-cli',
    ).patch;
    assert.match(patch, /name: INGEST_API_PUBLIC_URL\s+value: https:\/\/ingest\.example\.com$/m);
  });

  it('were made from the chart as it stands: otherwise run npm run deploy:render', () => {
    assert.equal(chartDigest(), readFileSync(join(kustomize, 'chart.sha256'), 'utf8').trim());
  });

  it('scale the workers by the backlog of their own release, as its ServiceMonitor and the adapter name it', () => {
    const folder = join(kustomize, 'overlays/production');
    const { patches } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    const patch = patches.find(
      ({ target }: any) =>
        target.kind === 'HorizontalPodAutoscaler' && target.name === 'outcomes-analysis-worker',
    ).patch;
    const { external } = parse(patch)[0].value.metrics.find(({ type }: any) => type === 'External');
    const monitors = parseManifests(readFileSync(join(folder, 'objects.yaml'), 'utf8'));
    const { relabelings } = find(monitors, 'ServiceMonitor', 'outcomes-analysis-worker')['spec'].endpoints[0];
    const { metadata } = find(committed, 'Service', 'outcomes-analysis-worker-metrics');
    assert.deepEqual(external.metric.selector.matchLabels, {
      release: metadata.labels?.['app.kubernetes.io/instance'],
    });
    assert.ok(
      relabelings.some(
        ({ sourceLabels, targetLabel }: any) =>
          targetLabel === 'release' &&
          sourceLabels.join() === '__meta_kubernetes_service_label_app_kubernetes_io_instance',
      ),
    );
    const [, query = ''] =
      /^ *metricsQuery: (.*)$/m.exec(readFileSync(join(root, 'k8s/README.md'), 'utf8')) ?? [];
    assert.match(query, /<<\.LabelMatchers>>/);
  });

  for (const [title, [promise, plant]] of Object.entries(mutations)) {
    it(`are refused where a pod ${title}`, () => {
      const mutant = structuredClone(committed);
      plant(mutant);
      const faults = check(mutant);
      assert.ok(
        faults.some((fault) => fault.includes(promise)),
        `${promise}: ${faults.join('; ')}`,
      );
    });
  }
});
