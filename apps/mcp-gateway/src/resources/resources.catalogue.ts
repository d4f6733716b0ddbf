import { alertsResource } from './alerts.resource';
import { freshnessResource } from './freshness.resource';
import { trustModelResource } from './trust-model.resource';

/** A static document that explains what results mean. Reading it is free of quota. */
export interface ReferenceResource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'application/json' | 'text/markdown';
  readonly text: string;
}

export const RESOURCES: readonly ReferenceResource[] = [
  alertsResource,
  freshnessResource,
  trustModelResource,
];

/** @param scheme - the configured key prefix, `svc` unless changed */
export const uriOf = (scheme: string, { name }: ReferenceResource): string => `${scheme}://reference/${name}`;
