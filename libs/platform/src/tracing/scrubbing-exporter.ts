import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * What a span may say, by name; everything else stays in the process. A list of what is allowed: the next version
 * of an instrumentation may add an attribute with an address, a query string or an error text, and nobody would
 * notice. Statements are without their values: of prepared queries those are not there, and literals are taken out, because
 * settings of a transaction are written into its first statement.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  'http.method',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'http.status_code',
  'express.type',
  'db.name',
  'db.namespace',
  'db.operation',
  'db.operation.name',
  'db.query.text',
  'db.statement',
  'db.system',
  'db.system.name',
  'error.type',
  'messaging.operation.name',
  'messaging.system',
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.name',
  'bullmq.job.attempts.made',
]);

const STATEMENTS: ReadonlySet<string> = new Set(['db.query.text', 'db.statement']);
const LITERALS = /'[^']*'/g;

/** Passes spans on without anything internal or personal: chosen attributes, no events, no error texts. */
export class ScrubbingExporter implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans.map(scrubbed), done);
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }
}

function scrubbed(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes)
      .filter(([name]) => ALLOWED.has(name))
      .map(([name, value]) => [name, STATEMENTS.has(name) ? String(value).replace(LITERALS, "'?'") : value]),
  );
  return Object.create(span, {
    name: { value: nameOf(span) },
    attributes: { value: attributes },
    // Events are exceptions with their texts.
    events: { value: [] },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}

/** A request that matches no route is named after its path by some instrumentations. */
function nameOf(span: ReadableSpan): string {
  return span.name.replace(/\/\S*/g, (path) => (span.attributes['http.route'] === path ? path : '/…'));
}
