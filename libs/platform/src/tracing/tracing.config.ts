/**
 * Where traces go: an OTLP endpoint over HTTP, e.g. http://collector:4318/v1/traces. Read before any other
 * configuration, because tracing has to begin before anything else is loaded; the service's own configuration
 * checks the same variable and prints what is wrong with it.
 */
export function tracesEndpoint(): string | undefined {
  const endpoint = process.env.TRACES_ENDPOINT;
  return endpoint !== undefined && URL.canParse(endpoint) ? endpoint : undefined;
}
