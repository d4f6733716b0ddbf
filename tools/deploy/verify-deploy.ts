// `npm run verify:deploy`: what is promised of the chart and its kustomizations, on what they render to.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../local/failure.mjs';
import { program } from '../local/program.mjs';
import { chart, findHelm, kustomize, overlays, renderChart, renderWith, run } from './chart.ts';
import { verifyOnApiServer } from './cluster.ts';
import { contradictions, takenContradictions } from './contradictions.ts';
import { identity, parseManifests, printManifests, withoutHelm, type Manifest } from './manifests.ts';
import { verifyPublishing } from './registry.ts';
import { check, rules } from './rules.ts';
import { validateAgainstSchemas } from './schemas.ts';
import { verifyTestPods } from './test-pods.ts';

const help = `Usage: npm run verify:deploy

Lints and renders the Helm chart for its own values and for every file of k8s/chart/ci, validates each object
against the schemas of Kubernetes, holds it against the restricted profile and the other promises of
tools/deploy/rules.ts, and compares what kubectl renders from k8s/kustomize with what the chart renders. Then it
starts a real kube-apiserver on a real etcd, and applies each of them strictly, in namespaces of the restricted profile.
Before that it publishes the chart into a registry on this machine, and holds what comes from there against the chart.
Last it runs what the migration Job, the pods and the pods of "helm test" run, on a Postgres and a Redis of its own.

Needs helm, kubectl, promtool (Debian: prometheus), etcd (Debian: etcd-server), oras, crane, cosign, and go, which fetches
the schemas of Kubernetes and builds kube-apiserver, once. The exit code is 1 where a check fails or could not run.`;

const failed: string[] = [];

async function promise(title: string, check: () => string | void | Promise<string | void>) {
  try {
    const detail = await check();
    console.log(`PASS     ${title}${detail ? `: ${detail}` : ''}`);
  } catch (error) {
    failed.push(title);
    const missing = error instanceof Failure && error.message.startsWith('NOT RUN');
    console.log(
      `${missing ? 'NOT RUN' : 'FAIL   '}  ${title}\n${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function none(faults: string[]) {
  if (faults.length > 0) throw new Failure(faults.join('\n'));
}

function same(wanted: Manifest[], found: Manifest[]) {
  const byName = new Map(found.map((object) => [identity(object), object]));
  none([
    ...wanted
      .filter((object) => !isDeepStrictEqual(object, byName.get(identity(object))))
      .map((object) => `differs: ${identity(object)}`),
    ...(wanted.length === found.length
      ? []
      : [`${wanted.length} objects of the chart, ${found.length} here`]),
  ]);
}

/** @param objects With a pooler at 6432 and Postgres itself at 5432. */
function poolerFaults(objects: Manifest[]) {
  return objects
    .filter(({ kind, spec }) => kind === 'NetworkPolicy' && spec.egress)
    .flatMap(({ metadata, spec }) => {
      const ports = spec.egress.flatMap((rule: any) => rule.ports.map(({ port }: any) => port));
      const isDirect = /-(migrations|cli|owner|tests)$/.test(metadata.name);
      return [
        ...(ports.includes(6432) ? [] : [`${metadata.name} does not reach the pooler`]),
        ...(ports.includes(5432) === isDirect
          ? []
          : [`${metadata.name} ${isDirect ? 'does not reach' : 'reaches'} Postgres itself`]),
      ];
    });
}

await program(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(help);
  const helm = findHelm();
  if (!helm)
    throw new Failure('NOT RUN: there is no helm on this machine. Install it, or set HELM to its path.');
  const cases = readdirSync(join(chart, 'ci')).map((file) => `ci/${file}`);
  for (const file of [undefined, ...cases]) {
    const name = file ?? "the chart's own values";
    const options = file ? ['--values', join(chart, file)] : [];
    await promise(
      `helm lint --strict, ${name}`,
      () => void run(helm, ['lint', '--strict', chart, ...options]),
    );
    await promise(`helm template and the schemas of Kubernetes, ${name}`, async () => {
      const objects = renderChart(helm, file);
      none(await validateAgainstSchemas(objects));
      return `${objects.length} objects`;
    });
    await promise(`promises about pods, secrets and the network, ${name}`, () => {
      const objects = renderChart(helm, file);
      none(check(objects, file === 'ci/minimal-values.yaml' ? rules : undefined));
    });
  }
  await promise(
    'promtool: alert rules are valid, fire where they should and are quiet where they should be',
    () => {
      const folder = join(chart, 'files');
      run('promtool', ['check', 'rules', join(folder, 'alerts.yaml')]);
      run('promtool', [
        'test',
        'rules',
        join(folder, 'alerts.test.yaml'),
        join(folder, 'alerts-week.test.yaml'),
      ]);
    },
  );
  await promise('mutation: a rule that never fires is found', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    const rules = readFileSync(join(chart, 'files/alerts.yaml'), 'utf8').replace('> 300', '> 3000');
    writeFileSync(join(folder, 'alerts.yaml'), rules);
    writeFileSync(join(folder, 'alerts.test.yaml'), readFileSync(join(chart, 'files/alerts.test.yaml')));
    try {
      run('promtool', ['test', 'rules', join(folder, 'alerts.test.yaml')]);
    } catch (error) {
      // Without the program nothing was found.
      if (error instanceof Failure && error.message.startsWith('NOT RUN')) throw error;
      return;
    } finally {
      rmSync(folder, { recursive: true });
    }
    throw new Failure('it was not found');
  });
  await promise('mutation: a misspelt field is found by the schemas', async () => {
    const [first, ...rest] = renderChart(helm).filter(({ kind }) => kind === 'Deployment');
    if (!first) throw new Failure('no Deployment');
    const broken = structuredClone(first);
    broken['spec'].template.spec.containers[0].readynessProbe = {};
    const faults = await validateAgainstSchemas([broken, ...rest]);
    if (!faults.some((fault) => fault.includes('readynessProbe'))) throw new Failure('it was not found');
  });
  await promise('values that are unknown or contradict one another are refused', () => {
    none(takenContradictions(helm));
    return `${contradictions.length} refused`;
  });
  await promise('mutation: values without a contradiction are taken', () => {
    if (takenContradictions(helm, [{ values: '{}', word: '' }]).length === 0)
      throw new Failure('they were refused');
  });
  await promise(
    'releases of long names that differ at their end alone have names of their own, which fit',
    () => {
      // As long as Helm takes, with and without the chart's name in it.
      const releases = [
        'growth-outreach-production-eu-west-',
        'outcomes-of-growth-production-eu-west-',
      ].flatMap((name) => ['a', 'b'].map((end) => name.padEnd(52, 'x') + end));
      const names = releases.map((release) => {
        const objects = renderWith(helm, [], release);
        none(check(objects));
        return objects.map(identity);
      });
      none(
        names[0]?.filter((name) => names[1]?.includes(name)).map((name) => `of two releases: ${name}`) ?? [],
      );
      none(
        names[2]?.filter((name) => names[3]?.includes(name)).map((name) => `of two releases: ${name}`) ?? [],
      );
    },
  );
  await promise('behind a pooler, what connects to Postgres itself may reach it, and no service may', () => {
    const platform = renderChart(helm, 'ci/platform-values.yaml');
    none(poolerFaults(platform));
    // Mutation: as it was when there was one place for both.
    const one = structuredClone(platform);
    for (const { kind, spec } of one)
      if (kind === 'NetworkPolicy')
        spec.egress = spec.egress?.filter((rule: any) => rule.ports.some(({ port }: any) => port !== 5432));
    if (poolerFaults(one).length === 0) throw new Failure('a policy without Postgres itself was not found');
  });
  for (const [folder, file] of [['base', undefined], ...Object.entries(overlays)]) {
    await promise(`kubectl kustomize ${folder} renders what the chart renders`, () => {
      const path = folder === 'base' ? 'base' : join('overlays', String(folder));
      const found = withoutHelm(parseManifests(run('kubectl', ['kustomize', join(kustomize, path)])));
      same(parseManifests(printManifests(withoutHelm(renderChart(helm, file)))), found);
      return `${found.length} objects`;
    });
  }
  await promise('mutation: a kustomization that is behind the chart is found', () => {
    const stale = withoutHelm(renderChart(helm));
    stale[0] = { ...(stale[0] as any), apiVersion: 'v0' };
    try {
      same(withoutHelm(renderChart(helm)), stale);
    } catch {
      return;
    }
    throw new Failure('it was not found');
  });
  await verifyPublishing(promise, helm);
  await verifyOnApiServer(promise, helm, [undefined, ...cases]);
  await verifyTestPods(promise, helm);
  console.log(failed.length === 0 ? 'Everything holds.' : `${failed.length} do not hold.`);
  if (failed.length > 0) process.exitCode = 1;
});
