import type { Answer } from './read-api-process';

/** What every success of the read API has in common. */
export function expectEnvelope(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body).sort()).toEqual(['data', 'message', 'success', 'timestamp']);
  expect(answer.body.success).toBe(true);
  expect(answer.body.message).toMatch(/^[A-Z].{3,100}\.$/);
  expect(new Date(answer.body.timestamp).toISOString()).toBe(answer.body.timestamp);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('ratelimit-policy')).toBe('200;w=900');
  expect(answer.headers.get('ratelimit-limit')).toBe('200');
  expect(Number(answer.headers.get('ratelimit-remaining'))).toBeLessThan(200);
  expect(Number(answer.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  expect(answer.headers.get('x-request-id')).toMatch(/\S/);
  expect(answer.headers.get('etag')).toMatch(/^W\/"[\w-]+"$/);
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
