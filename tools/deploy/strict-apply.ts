// What a cluster says to the chart's objects: strict server-side apply, in namespaces of the restricted profile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Failure } from '../local/failure.mjs';
import type { Ask } from './api-server.ts';
import { run } from './chart.ts';
import type { Manifest } from './manifests.ts';

const restricted = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
};
/** The definitions of kinds that Kubernetes does not bring, from the modules of those who do. */
const definitions = [
  ['sigs.k8s.io/gateway-api@v1.4.0', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  ...['servicemonitors', 'prometheusrules'].map((plural) => [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    `example/prometheus-operator-crd/monitoring.coreos.com_${plural}.yaml`,
  ]),
];

function pathOf({ apiVersion, kind, metadata: { name } }: Manifest, namespace: string) {
  const root = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const plural = kind.toLowerCase().replace(/y$/, 'ie').replace(/s$/, 'se');
  return `/${root}/namespaces/${namespace}/${plural}s/${name}`;
}

/** Makes the definitions known, and waits until they are served. */
export async function defineForeignKinds(ask: Ask) {
  for (const [module = '', file = ''] of definitions) {
    const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', module], { timeout: 600_000 }));
    const definition = parse(readFileSync(join(Dir, file), 'utf8'));
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const made = await ask('POST', path, definition);
    if (made.status !== 201) throw new Failure(`${file}: ${made.status} ${made.body.message}`);
    const { group, names, versions } = definition.spec;
    const served = versions.find((version: any) => version.storage).name;
    for (let tries = 0; ; tries += 1) {
      const listed = await ask('GET', `/apis/${group}/${served}/${names.plural}`);
      if (listed.status === 200) break;
      if (tries === 100) throw new Failure(`${group}/${names.plural} is not served: ${listed.status}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** The priority class that pods of the cases ask for: it is the platform's to make. */
export async function makePriorityClass(ask: Ask, name: string) {
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const made = await ask('POST', path, {
    ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1_000 },
  });
  if (made.status !== 201) throw new Failure(`priority class ${name}: ${made.status} ${made.body.message}`);
}

export async function makeNamespace(ask: Ask, name: string) {
  const metadata = { name, labels: restricted };
  const made = await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
  if (made.status !== 201) throw new Failure(`namespace ${name}: ${made.status} ${made.body.message}`);
}

/**
 * Applies objects as a release would, and each pod that they would become, for which the profile is enforced.
 * @returns What was refused or warned of, one line each.
 */
export async function applyStrictly(ask: Ask, namespace: string, objects: Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  const apply = async (object: Manifest) => {
    const address = `${pathOf(object, namespace)}?fieldManager=verify&fieldValidation=Strict&force=true`;
    const { status, body, warnings } = await ask('PATCH', address, object, 'application/apply-patch+yaml');
    const name = `${object.kind} ${object.metadata.name}`;
    if (status !== 200 && status !== 201) faults.push(`${name}: ${status} ${body.message ?? body}`);
    faults.push(...warnings.map((warning) => `${name}: ${warning}`));
  };
  for (const object of objects) {
    await apply(object);
    const template = object['spec']?.template;
    if (!template?.spec) continue;
    const metadata = { name: `${object.metadata.name}-pod`, labels: template.metadata.labels };
    await apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec });
  }
  return faults;
}
