import { FileHistory } from '../history/file-history';
import { mapRecord, noteRecord, type MapContext, type Mapped } from '../interpret/map-record';
import type { Route } from '../profile';
import { profileOf } from '../profiles/known-profiles';
import type { SourceExample } from './examples';

/** @throws where a tool has no such route: an example that belongs nowhere */
export function routeOf(tool: string, name: string): Route {
  const route = profileOf(tool)?.routes.find((one) => one.name === name);
  if (!route) throw new Error(`${tool} has no route ${name}`);
  return route;
}

/**
 * Reads the records of an example as a file of them is read.
 * @param route - another than that of the profile, to see what it would make of them
 */
export function mapExample(example: SourceExample, route = routeOf(example.tool, example.route)): Mapped[] {
  const { tool, records, context, earlier = [] } = example;
  const known: MapContext & { history: FileHistory } = { tool, ...context, history: new FileHistory() };
  for (const one of earlier) noteRecord(routeOf(tool, one.route), one.record, known, -1);
  records.forEach((record, row) => noteRecord(route, record, known, row));
  return records.map((record, row) => mapRecord(route, record, known, row));
}
