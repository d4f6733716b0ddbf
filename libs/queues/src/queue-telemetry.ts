import type { ServiceConfig } from '@outcomes/platform';
import { BullMQOtel } from 'bullmq-otel';

/** Carries a trace through a queue, from who adds a job to who does it; undefined where there are no traces. */
export function queueTelemetry({ TRACES_ENDPOINT }: Pick<ServiceConfig, 'TRACES_ENDPOINT'>) {
  return TRACES_ENDPOINT === undefined ? undefined : new BullMQOtel({ tracerName: 'outcomes' });
}
