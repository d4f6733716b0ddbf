import { startOfDay, type Deprecation } from '@outcomes/contracts';

/**
 * What every answer of a deprecated operation carries: the moment of the announcement as a structured-field date
 * (RFC 9745), the moment of the end as an HTTP date (RFC 8594), and where to read more.
 */
export function deprecationHeaders({ announcedOn, sunsetOn, documentation }: Deprecation) {
  return {
    Deprecation: `@${(startOfDay(announcedOn)?.getTime() ?? 0) / 1_000}`,
    Sunset: startOfDay(sunsetOn)?.toUTCString() ?? '',
    Link: `<${documentation}>; rel="deprecation"; type="text/html"`,
  } as const;
}
