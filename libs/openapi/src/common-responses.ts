import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

/**
 * Takes responses that are the same wherever their status occurs out of the operations, so that each is written
 * once, under the name of its status.
 */
export function shareResponses(paths: Paths): { readonly paths: Paths; readonly responses: Responses } {
  const forms = new Map<string, Set<string>>();
  const uses = new Map<string, number>();
  eachResponse(paths, (status, response) => {
    forms.set(status, (forms.get(status) ?? new Set()).add(JSON.stringify(response)));
    uses.set(status, (uses.get(status) ?? 0) + 1);
    return response;
  });
  const responses: Responses = {};
  const shared = eachResponse(paths, (status, response) => {
    if (forms.get(status)?.size !== 1 || uses.get(status) === 1) return response;
    const name = nameOf(status);
    responses[name] = response as Responses[string];
    return { $ref: `#/components/responses/${name}` };
  });
  return { paths: shared, responses };
}

/** `Too Many Requests` -> `TooManyRequests` */
function nameOf(status: string): string {
  return (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '');
}

function eachResponse(paths: Paths, change: (status: string, response: unknown) => unknown): Paths {
  return mapValues(paths, (item) =>
    mapValues(item, (operation) =>
      isOperation(operation)
        ? {
            ...operation,
            responses: mapValues(operation.responses, (response, status) => change(status, response)),
          }
        : operation,
    ),
  ) as Paths;
}

function isOperation(value: unknown): value is { readonly responses: object } {
  return typeof value === 'object' && value !== null && 'responses' in value;
}

function mapValues(object: object, change: (value: object, key: string) => unknown): object {
  return Object.fromEntries(
    Object.entries(object as Record<string, object>).map(([key, value]) => [key, change(value, key)]),
  );
}
