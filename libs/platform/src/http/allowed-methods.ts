import type { Application } from 'express';
import { match } from 'path-to-regexp';

type RouteLayer = Application['router']['stack'][number];

interface KnownRoute {
  readonly matches: (path: string) => unknown;
  readonly methods: readonly string[];
}

/** Patterns are compiled once: anybody may ask for unknown paths, as often as the limits let them. */
const compiled = new WeakMap<RouteLayer, KnownRoute>();

/**
 * Methods that the router knows for a path, in upper case; empty where the path itself is unknown.
 * Express answers 404 to a known path with the wrong method; callers deserve 405 and an Allow header.
 */
export function allowedMethods(app: Application, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack) {
    const route = compiled.get(layer) ?? compile(layer, app);
    if (!route || !matches(route, path)) continue;
    for (const method of route.methods) methods.add(method);
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** With the settings that the router compiles patterns with; undefined for what is no route. */
function compile(layer: RouteLayer, app: Application): KnownRoute | undefined {
  const { route } = layer;
  if (!route) return undefined;
  const known = {
    matches: match(route.path, { sensitive: app.enabled('case sensitive routing') }),
    methods: route.stack.map(({ method }) => method.toUpperCase()),
  };
  compiled.set(layer, known);
  return known;
}

function matches(route: KnownRoute, path: string): boolean {
  try {
    return route.matches(path) !== false;
  } catch {
    // A broken %-escape matches nothing.
    return false;
  }
}
