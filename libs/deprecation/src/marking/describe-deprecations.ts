import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Deprecation } from '@outcomes/contracts';
import { deprecationOf } from './deprecated.decorator';
import { deprecationHeaders } from './deprecation-headers';

/**
 * The same OpenAPI document with the marked operations described as deprecated: until when they answer, what to use
 * instead, and which headers they carry.
 * @param app - with the controllers; one in preview mode will do
 * @param document - whose operations are named after their handlers, as describeApi does it
 */
export function describeDeprecations<Document extends { paths: object }>(
  app: INestApplicationContext,
  document: Document,
): Document {
  const marked = markedHandlers(app);
  if (marked.size === 0) return document;
  const describe = (part: unknown): unknown => {
    const deprecation = isOperation(part) ? marked.get(part.operationId) : undefined;
    return isOperation(part) && deprecation !== undefined
      ? { ...part, deprecated: true, description: `${part.description ?? ''}\n\n${note(deprecation)}`.trim() }
      : part;
  };
  const paths = mapValues(document.paths, (item) => mapValues(item as object, describe));
  return { ...document, paths };
}

function note(deprecation: Deprecation): string {
  const { announcedOn, sunsetOn, replacement, documentation } = deprecation;
  const headers = Object.keys(deprecationHeaders(deprecation)).map((name) => `\`${name}\``);
  return [
    `**Deprecated** since ${announcedOn}; ends on ${sunsetOn} (UTC). ${replacement} [More](${documentation})`,
    `Every answer carries ${headers.join(', ')}.`,
  ].join('\n\n');
}

function markedHandlers(app: INestApplicationContext): ReadonlyMap<string, Deprecation> {
  const marked = new Map<string, Deprecation>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Readonly<Record<string, unknown>>;
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const handler = prototype[name];
        const deprecation = typeof handler === 'function' ? deprecationOf(handler, metatype) : undefined;
        if (deprecation !== undefined) marked.set(name, deprecation);
      }
    }
  }
  return marked;
}

function isOperation(
  value: unknown,
): value is { readonly operationId: string; readonly description?: string } {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

function mapValues(object: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
