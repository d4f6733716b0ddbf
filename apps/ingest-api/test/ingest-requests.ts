import { request as httpRequest, type ClientRequest } from 'node:http';
import { ERROR_CATALOGUE, type ErrorCode } from '@outcomes/contracts';
import { bearer, type Answer, type IngestApiProcess } from './ingest-api-process';

/** A legal event; give what matters to the test. */
export function anEvent(parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    channel: 'email',
    sequence_step: 0,
    recipient_id: 'prospect-1',
    sent_at: '2026-01-05T09:30:00Z',
    outcome_at: '2026-01-08T09:30:00Z',
    outcome: 'no_response',
    ...parts,
  };
}

/** An upload that announces `length` bytes and never sends them all. */
export function stalledUpload(api: IngestApiProcess, length: number): ClientRequest {
  const upload = httpRequest({
    port: api.port,
    path: '/ingest/events',
    method: 'POST',
    headers: { ...bearer(api.tenant), 'Content-Type': 'application/json', 'Content-Length': length },
  });
  upload.on('error', () => undefined);
  upload.write('{"events":[');
  return upload;
}

export function expectError(answer: Answer, status: number, error: ErrorCode): void {
  expect({ status: answer.status, error: answer.body?.error }).toEqual({ status, error });
  expect(ERROR_CATALOGUE[error].status).toBe(status);
  expect(answer.body).toMatchObject({
    success: false,
    message: expect.stringMatching(/./),
    requestId: answer.headers.get('x-request-id'),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
}
