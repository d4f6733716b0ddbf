import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';

type Paths = OpenAPIObject['paths'];
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

/**
 * Takes the refusals that several operations give out of them, so that each is written once, under the name of its status:
 * of a status that has several forms the one that is used most. What an operation gives where it succeeds stays with it.
 */
export function shareResponses(paths: Paths): { readonly paths: Paths; readonly responses: Responses } {
  const forms = new Map<string, Map<string, number>>();
  eachResponse(paths, (status, response) => {
    const uses = forms.get(status) ?? new Map<string, number>();
    const form = JSON.stringify(response);
    forms.set(status, uses.set(form, (uses.get(form) ?? 0) + 1));
    return response;
  });
  const responses: Responses = {};
  const shared = eachResponse(paths, (status, response) => {
    const [form, uses] = mostUsed(forms.get(status));
    if (Number(status) < 300 || uses === 1 || form !== JSON.stringify(response)) return response;
    const name = nameOf(status);
    responses[name] = response as Responses[string];
    return { $ref: `#/components/responses/${name}` };
  });
  return { paths: shared, responses };
}

/** @returns The form with the most uses, the first of several. */
function mostUsed(uses: ReadonlyMap<string, number> = new Map()): readonly [form: string, uses: number] {
  return [...uses].reduce((most, next) => (next[1] > most[1] ? next : most), ['', 1]);
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
