import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { ERROR_CATALOGUE, type ErrorCode } from '@outcomes/contracts';
import { bearer, type Answer } from '@outcomes/testing';
import { check, type SharedIngestApi } from './ingest-api-process';

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

interface Upload {
  readonly path?: string;
  readonly type?: string;
  /** Bytes that are sent at once. */
  readonly sent?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An upload that announces `length` bytes, or says nothing of it, and never sends them all. */
export function stalledUpload(
  api: SharedIngestApi,
  length: number | undefined,
  { path = '/ingest/events', type = 'application/json', sent = 11, headers = {} }: Upload = {},
): ClientRequest {
  const announced = length === undefined ? {} : { 'Content-Length': length };
  const upload = httpRequest({
    port: api.port,
    path,
    method: 'POST',
    headers: { ...bearer(api.tenant), 'Content-Type': type, ...announced, ...headers },
  });
  upload.on('error', () => undefined);
  const begun = '{"events":['.padEnd(sent, ' ');
  // Of a compressed one the head of its file, which is whole: nonsense would be refused and would not stall.
  upload.write('Content-Encoding' in headers ? gzipSync(begun).subarray(0, 10) : begun);
  return upload;
}

/** What an upload was answered, held against the description like every other answer. */
export async function answerTo(upload: ClientRequest): Promise<Answer & { readonly connection?: string }> {
  const response = await new Promise<IncomingMessage>((resolve) => upload.once('response', resolve));
  const text = await textOf(response);
  const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  const status = response.statusCode ?? 0;
  check('POST', upload.path, { status, headers, text });
  return { status, headers, text, body: JSON.parse(text), connection: response.headers.connection };
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
