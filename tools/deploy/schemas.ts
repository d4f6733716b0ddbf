import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Failure } from '../local/failure.mjs';
import { localDirectory } from '../local/settings.mjs';
import { run } from './chart.ts';
import type { Manifest } from './manifests.ts';

const release = 'v1.33.0';
/** Kinds of operators, which Kubernetes' own schemas do not have. */
const foreign = new Set(['monitoring.coreos.com/v1', 'gateway.networking.k8s.io/v1']);

/** Kubernetes' own OpenAPI document, from the module of its source; kept in .local/. */
function openApi() {
  const kept = join(localDirectory, 'kubernetes', `${release}.json`);
  if (!existsSync(kept)) {
    let folder;
    try {
      folder = JSON.parse(
        run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${release}`], { timeout: 600_000 }),
      ).Dir;
    } catch (error) {
      throw new Failure(`NOT RUN: the schemas of Kubernetes cannot be had.\n${String(error).slice(0, 500)}`);
    }
    mkdirSync(join(localDirectory, 'kubernetes'), { recursive: true });
    writeFileSync(kept, readFileSync(join(folder, 'api/openapi-spec/swagger.json')));
  }
  return JSON.parse(readFileSync(kept, 'utf8')).definitions;
}

/** The definitions as JSON Schema that takes no unknown member. */
function closed(node: any): any {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  if (node.format === 'int-or-string') return { type: ['integer', 'string'] };
  const copy = Object.fromEntries(
    Object.entries<any>(node)
      .filter(([key]) => !key.startsWith('x-') && !['description', 'format', 'default'].includes(key))
      .map(([key, value]) => [
        key,
        key === '$ref' ? value : key === 'properties' ? members(value) : closed(value),
      ]),
  );
  if (typeof copy['$ref'] === 'string') {
    // A quantity may be written as a number.
    if (copy['$ref'].endsWith('resource.Quantity')) return { type: ['string', 'number'] };
    if (copy['$ref'].endsWith('intstr.IntOrString')) return { type: ['integer', 'string'] };
    return { $ref: copy['$ref'] };
  }
  if (node.type === 'object' && node.properties && !node.additionalProperties)
    copy['additionalProperties'] = false;
  return copy;
}

/** @param properties Their names may be those of keywords. */
function members(properties: Record<string, any>) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, closed(schema)]));
}

let validators: { ajv: Ajv; byKind: Map<string, string> } | undefined;

function load() {
  if (validators) return validators;
  const definitions = openApi();
  const byKind = new Map<string, string>();
  for (const [name, definition] of Object.entries<any>(definitions)) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      byKind.set(`${group ? `${group}/` : ''}${version} ${kind}`, name);
    }
  }
  const ajv = new Ajv({ strict: false, allErrors: true });
  const schemas = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, closed(definition)]),
  );
  ajv.addSchema({ $id: 'kubernetes', definitions: schemas });
  return (validators = { ajv, byKind });
}

/** @returns One line per fault; empty where every object is what its kind may be. */
export async function validateAgainstSchemas(objects: Manifest[]): Promise<string[]> {
  const { ajv, byKind } = load();
  return objects.flatMap((object) => {
    const name = byKind.get(`${object.apiVersion} ${object.kind}`);
    if (!name)
      return foreign.has(object.apiVersion) ? [] : [`${object.apiVersion} ${object.kind} is unknown`];
    const validate = ajv.getSchema(`kubernetes#/definitions/${name}`) as ValidateFunction | undefined;
    if (!validate) throw new Failure(`There is no schema for ${name}.`);
    validate(object);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${object.kind} ${object.metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  });
}
