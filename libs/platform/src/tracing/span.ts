import { SpanStatusCode, trace } from '@opentelemetry/api';

/**
 * Does work under a span of its own; where traces are off this costs next to nothing.
 * @param name - what is done; never what it is done to
 */
export async function inSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return trace.getTracer('outcomes').startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
