import type { Answer } from '@outcomes/testing';

const FRAME_FIELDS = [
  'alerts',
  'analysed_at',
  'data_as_of',
  'drift_state',
  'newest_outcome_at',
  'posteriors_trustworthy',
  'recommended_action',
  'summary',
];

/**
 * What every success of the read API has in common.
 * @param isEverNew - it is another answer each time, which nothing is called the same as
 */
export function expectEnvelope(answer: Answer, isEverNew = false): void {
  expect(answer.status).toBe(200);
  // Answers with a document of a run have what is said of the run, as a whole, or nothing of it.
  const { data: _data, message: _message, success: _success, timestamp: _timestamp, ...frame } = answer.body;
  if (Object.keys(frame).length > 0) expect(Object.keys(frame).sort()).toEqual(FRAME_FIELDS);
  expect(answer.body.success).toBe(true);
  expect(answer.body.message).toMatch(/^[A-Z].{3,100}\.$/);
  expect(new Date(answer.body.timestamp).toISOString()).toBe(answer.body.timestamp);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('ratelimit-policy')).toBe('200;w=900');
  expect(answer.headers.get('ratelimit-limit')).toBe('200');
  expect(Number(answer.headers.get('ratelimit-remaining'))).toBeLessThan(200);
  expect(Number(answer.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(answer.headers.get('x-request-id')).toMatch(/\S/);
  if (isEverNew) expect(answer.headers.get('etag')).toBeNull();
  else expect(answer.headers.get('etag')).toMatch(/^W\/"[\w-]+"$/);
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
}

/** What every error has in common. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.error]).toEqual([status, code]);
  expect(answer.body).toMatchObject({
    success: false,
    message: expect.stringMatching(/\S/),
    requestId: answer.headers.get('x-request-id'),
    timestamp: expect.stringMatching(/Z$/),
  });
}
