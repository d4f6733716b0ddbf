import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from './every-endpoint/endpoints';

export interface Operation {
  readonly operationId?: string;
  readonly responses: object;
}

/** As it is committed. */
export const DESCRIPTION_TEXT = readFileSync(join(__dirname, '../openapi.json'), 'utf8');

const { paths } = JSON.parse(DESCRIPTION_TEXT) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** By method and path. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
);

/** Which statuses of an endpoint are described, which of them have a file of their own, and which do not. */
export function statusesOf({ name, folder }: Pick<Endpoint, 'name' | 'folder'>) {
  const own = readdirSync(join(__dirname, folder)).flatMap(
    (file) => /^(\d{3})\.e2e-spec\.ts$/.exec(file)?.[1] ?? [],
  );
  const described = Object.keys(OPERATIONS.get(name)?.responses ?? {});
  return { described, own, others: described.filter((status) => !own.includes(status)) };
}
