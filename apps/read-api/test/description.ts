import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, type Endpoint } from './endpoints';

interface QueryParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: {
    readonly maximum?: number;
    readonly minimum?: number;
    readonly enum?: readonly string[];
  };
}

const description = JSON.parse(readFileSync(join(__dirname, '../openapi.json'), 'utf8')) as {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly parameters: readonly QueryParameter[]; readonly responses: object } }
    >
  >;
};

/** Which statuses of an endpoint are described, which of them have a file of their own, and which do not. */
export function statusesOf(endpoint: Endpoint) {
  const folder = join(__dirname, folderOf(endpoint));
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const own = files.flatMap((name) => /^(\d{3})\.e2e-spec\.ts$/.exec(name)?.[1] ?? []);
  const described = Object.keys(description.paths[endpoint]?.get.responses ?? {});
  return { described, own, others: described.filter((status) => !own.includes(status)) };
}

export function queryParametersOf(endpoint: Endpoint): readonly QueryParameter[] {
  const { parameters } = description.paths[endpoint]?.get ?? { parameters: [] };
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Values at the documented bounds, and beyond. */
export function valuesOf({ minimum, maximum, enum: choices }: QueryParameter['schema']) {
  if (choices) return { right: choices, wrong: ['nothing-of-the-kind'] };
  if (minimum === undefined || maximum === undefined) return { right: [], wrong: [''] };
  return { right: [minimum, maximum], wrong: [minimum - 1, maximum + 1, 'x'] };
}
