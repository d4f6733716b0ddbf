import { createRequire } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation, ExpressLayerType } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ScrubbingExporter } from './scrubbing-exporter';

const EXPORT_TIMEOUT_MS = 5_000;

/**
 * Sends spans of requests, Postgres, Redis and queue jobs to a collector. Must run before any of their packages is
 * loaded.
 * @param endpoint - OTLP over HTTP
 */
export function startTraces(service: string, endpoint: string): { stop: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: endpoint, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'outcomes' }),
    spanProcessors: [
      new BatchSpanProcessor(new ScrubbingExporter(exporter), {
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  provider.register();
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation({
        // The management port is asked every second, and the collector's own requests would trace themselves.
        ignoreIncomingRequestHook: ({ url }) => /^\/(livez|readyz|metrics)\b/.test(url ?? ''),
        ignoreOutgoingRequestHook: () => true,
      }),
      new ExpressInstrumentation({ ignoreLayersType: [ExpressLayerType.MIDDLEWARE] }),
      new PgInstrumentation({ requireParentSpan: true, enhancedDatabaseReporting: false }),
      new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    ],
  });
  // Nest imports it as a module, which no instrumentation notices: it is given the one that was required here.
  createRequire(__filename)('express');
  return {
    stop: async () => {
      await provider.shutdown().catch(() => undefined);
    },
  };
}
