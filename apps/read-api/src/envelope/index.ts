/** Answers belong to one credential: no shared cache may keep them, and a private one asks again each time. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, X-API-Key, X-Tenant-Id, X-Portal-Id, Accept-Encoding',
};
export const CONTENT_TYPE = 'application/json; charset=utf-8';

/** What stands before and behind the data; ASCII, like every message. */
export function frameOf(says: string, at: Date): [before: string, after: string] {
  return [`{"success":true,"message":${JSON.stringify(says)},"data":`, `,"timestamp":"${at.toISOString()}"}`];
}
