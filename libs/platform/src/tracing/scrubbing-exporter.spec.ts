import { context, SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { ScrubbingExporter } from './scrubbing-exporter';

describe('traces', () => {
  it('leave the process without addresses, query strings, values of statements and error texts', () => {
    const sent = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(new ScrubbingExporter(sent))],
    });
    const span = provider.getTracer('test').startSpan('GET /ingest/events/canary', {}, context.active());
    span.setAttributes({
      'http.method': 'GET',
      'http.route': '/v1/patterns',
      'url.query': 'recipient_id=canary',
      'client.address': 'canary',
      'http.target': '/v1/patterns?recipient_id=canary',
      'db.statement': "SELECT set_config('app.user_email', 'canary@example.com', true), 'o''canary', $1",
      'db.query.text': "BEGIN; SELECT 1, set_config('app.session', 'canary', true)",
      'something.new': 'canary',
    });
    span.recordException(new Error('canary'));
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'canary' });
    span.end();
    const [exported] = sent.getFinishedSpans();
    expect(exported?.attributes).toEqual({
      'http.method': 'GET',
      'http.route': '/v1/patterns',
      'db.statement': "SELECT set_config('?', '?', true), '?''?', $1",
      'db.query.text': "BEGIN; SELECT 1, set_config('?', '?', true)",
    });
    expect(exported).toMatchObject({ name: 'GET /…', events: [], status: { code: SpanStatusCode.ERROR } });
    expect(exported?.spanContext().traceId).toBe(span.spanContext().traceId);
    expect(exported?.ended).toBe(true);
    const { name, attributes, events, status } = exported ?? {};
    expect(JSON.stringify({ name, attributes, events, status })).not.toContain('canary');
  });
});
