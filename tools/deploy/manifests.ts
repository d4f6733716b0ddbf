import { parseAllDocuments, stringify } from 'yaml';

/** A Kubernetes object, as far as it is looked at here. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: any;
}

/** @returns The objects of a stream of YAML documents, empty ones left out. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { merge: true })
    .map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS();
    })
    .filter((object) => object !== null && object !== undefined);
}

export function printManifests(objects: Manifest[]) {
  return objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n');
}

/** @param object What it is among all others. */
export function identity({ apiVersion, kind, metadata }: Manifest) {
  return `${apiVersion.replace(/\/.*/, '')} ${kind} ${metadata.name}`;
}

/** The chart's objects as kubectl applies them: without Helm's tests, and with its hooks as ordinary objects. */
export function withoutHelm(objects: Manifest[]) {
  return objects
    .filter((object) => object.metadata.annotations?.['helm.sh/hook'] !== 'test')
    .map((object) => {
      const copy = structuredClone(object);
      const annotations = Object.entries(copy.metadata.annotations ?? {}).filter(
        ([name]) => !name.startsWith('helm.sh/'),
      );
      delete copy.metadata.annotations;
      if (annotations.length > 0) copy.metadata.annotations = Object.fromEntries(annotations);
      for (const labels of [copy.metadata.labels, copy.spec?.template?.metadata?.labels]) {
        if (labels?.['app.kubernetes.io/managed-by']) labels['app.kubernetes.io/managed-by'] = 'kustomize';
      }
      return copy;
    })
    .sort((a, b) => (identity(a) < identity(b) ? -1 : 1));
}
