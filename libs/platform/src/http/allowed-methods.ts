import type { Application } from 'express';

interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * Methods that the router knows for a path, in upper case; empty where the path itself is unknown.
 * Express answers 404 to a known path with the wrong method; callers deserve 405 and an Allow header.
 */
export function allowedMethods(app: Application, path: string): string[] {
  const layers = app.router.stack as unknown as readonly RouteLayer[];
  const methods = new Set<string>();
  for (const layer of layers) {
    if (!layer.route || !matches(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A broken %-escape matches nothing.
    return false;
  }
}
