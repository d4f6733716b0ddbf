import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { identity, printManifests, type Manifest } from './manifests.ts';

const notice = '# Made from the Helm chart by `npm run deploy:render`. Change the chart, not this file.\n';

/**
 * A kustomization with everything in it.
 * @returns Texts by file name.
 */
export function base(objects: Manifest[]): Record<string, string> {
  return {
    'kustomization.yaml': print({ resources: ['objects.yaml'] }),
    'objects.yaml': notice + printManifests(objects),
  };
}

/**
 * A kustomization that turns `from` into `to`: what is new as resources, what changed as patches.
 * @returns Texts by file name.
 */
export function overlay(from: Manifest[], to: Manifest[]): Record<string, string> {
  const before = new Map(from.map((object) => [identity(object), object]));
  const after = new Set(to.map(identity));
  const added = to.filter((object) => !before.has(identity(object)));
  const patches = [
    ...from.filter((object) => !after.has(identity(object))).map(removal),
    ...to.flatMap((object) => {
      const old = before.get(identity(object));
      return old && !isDeepStrictEqual(old, object) ? [change(old, object)] : [];
    }),
  ];
  return {
    'kustomization.yaml': print({
      resources: ['../../base', ...(added.length > 0 ? ['objects.yaml'] : [])],
      ...(patches.length > 0 && { patches }),
    }),
    ...(added.length > 0 && { 'objects.yaml': notice + printManifests(added) }),
  };
}

function removal({ apiVersion, kind, metadata: { name } }: Manifest) {
  return { patch: stringify({ $patch: 'delete', apiVersion, kind, metadata: { name } }) };
}

/** Whole members are replaced: lists of Kubernetes merge by rules that differ per field. */
function change(old: Manifest, object: Manifest) {
  const { kind, metadata } = object;
  const group = object.apiVersion.includes('/') ? object.apiVersion.replace(/\/.*/, '') : '';
  const operations = Object.keys({ ...old, ...object })
    .filter((member) => !isDeepStrictEqual(old[member], object[member]))
    .map((member) =>
      member in object
        ? { op: member in old ? 'replace' : 'add', path: `/${member}`, value: object[member] }
        : { op: 'remove', path: `/${member}` },
    );
  return {
    target: { ...(group && { group }), kind, name: metadata.name },
    patch: stringify(operations, { lineWidth: 0 }),
  };
}

function print(content: Record<string, unknown>) {
  const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...content };
  return notice + stringify(kustomization, { lineWidth: 0 });
}
