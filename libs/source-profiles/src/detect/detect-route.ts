import { holds } from '../interpret/holds';
import type { SourceRecord } from '../interpret/read-path';
import type { Route, SourceProfile } from '../profile';

/** A kind of file or payload, and whose it is. */
export interface FoundRoute {
  readonly profile: SourceProfile;
  readonly route: Route;
}

/** A route that a header is near to. */
export interface NearRoute extends FoundRoute {
  readonly missing: readonly string[];
}

export type Detection =
  | { readonly found: FoundRoute }
  /** Several match: the reader has to say. */
  | { readonly several: readonly FoundRoute[] }
  /** None matches: the nearest, and what they lack. */
  | { readonly near: readonly NearRoute[] };

const SHOWN = 3;

/** The route of a file with a header of columns. */
export function detectByColumns(profiles: readonly SourceProfile[], columns: readonly string[]): Detection {
  const there = new Set(columns.map((column) => column.trim()));
  const routes = routesOf(profiles).flatMap((found): NearRoute[] => {
    const { detect, media } = found.route;
    if (!media.includes('csv') || !('columns' in detect)) return [];
    return [{ ...found, missing: detect.columns.filter((column) => !there.has(column)) }];
  });
  const matching = routes.filter(({ missing }) => missing.length === 0);
  return verdictOn(matching, () => routes.toSorted((a, b) => shareOf(a) - shareOf(b)).slice(0, SHOWN));
}

/** The route of a payload, or of an object of a file. */
export function detectByRecord(profiles: readonly SourceProfile[], record: SourceRecord): Detection {
  const matching = routesOf(profiles).filter(
    ({ route: { detect } }) => 'when' in detect && holds(detect.when, record),
  );
  return verdictOn(matching, () => []);
}

function verdictOn(matching: readonly FoundRoute[], near: () => readonly NearRoute[]): Detection {
  const [found, ...others] = matching;
  if (!found) return { near: near() };
  return others.length === 0 ? { found } : { several: matching };
}

function routesOf(profiles: readonly SourceProfile[]): FoundRoute[] {
  return profiles.flatMap((profile) => profile.routes.map((route) => ({ profile, route })));
}

function shareOf({ missing, route: { detect } }: NearRoute): number {
  return 'columns' in detect ? missing.length / detect.columns.length : 1;
}
