/**
 * Every error that leaves the service over HTTP: its status and its public message. Messages say how to fix the
 * request and reveal nothing internal. The code is what callers branch on; it never changes within a major version.
 */
export interface ErrorDefinition {
  readonly status: number;
  readonly message: string;
}

const define = <Code extends string>(table: Record<Code, ErrorDefinition>) => table;

export const ERROR_CATALOGUE = define({
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON. Send one JSON document in UTF-8.' },
  INVALID_REQUEST: { status: 400, message: 'The request does not have the documented shape.' },
  INVALID_PARAMETER: { status: 400, message: 'A parameter is missing or has a value that is not allowed.' },
  INVALID_CSV: { status: 400, message: 'The body is not valid CSV (RFC 4180, UTF-8, a header row first).' },
  UNKNOWN_COLUMN: { status: 400, message: 'The CSV header names a column that does not exist.' },
  MISSING_COLUMN: { status: 400, message: 'The CSV header lacks a required column.' },
  DUPLICATE_COLUMN: { status: 400, message: 'The CSV header names the same column twice.' },
  INVALID_ENCODING: {
    status: 400,
    message: 'The body is not valid UTF-8, or its Content-Encoding is broken.',
  },
  INVALID_EVENT_ID: { status: 400, message: 'event_id must be a UUID.' },
  MISSING_RECIPIENT_ID: {
    status: 400,
    message: 'recipient_id is required: give it once, not empty, as ?recipient_id=…',
  },
  CONFLICTING_CREDENTIALS: {
    status: 400,
    message: 'Authorization and X-API-Key carry different credentials. Send only one of them.',
  },
  INVALID_ACTOR: {
    status: 400,
    message: 'X-Actor-Type must be agent, user or service, and X-Actor-Id 1 to 128 visible ASCII characters.',
  },
  TENANT_REQUIRED: {
    status: 400,
    message:
      'This credential serves several tenants. Name one: X-Tenant-Id header (tenant_id argument on MCP).',
  },
  missing_token: {
    status: 401,
    message: 'No credential was sent. Send the header "Authorization: Bearer <API_KEY>".',
  },
  invalid_token: { status: 401, message: 'Unknown credential.' },
  self_serve_auth_failed: { status: 401, message: 'The API key was not accepted; see reason.' },
  NOT_SIGNED_IN: { status: 401, message: 'Nobody is signed in, or the session has ended. Sign in.' },
  SIGN_IN_FAILED: { status: 401, message: 'The e-mail address or the password is wrong.' },
  SIGN_IN_ELSEWHERE: {
    status: 403,
    message: 'Accounts are kept by an identity provider here. Sign in there.',
  },
  IDENTITY_REFUSED: {
    status: 403,
    message: 'The identity provider vouched for nobody who is known here. Ask for an invitation.',
  },
  CROSS_SITE_REQUEST: { status: 403, message: 'Changes are taken from the pages of this console alone.' },
  RECENT_SIGN_IN_REQUIRED: {
    status: 403,
    message: 'This is done within 15 minutes of a sign-in. Sign in again.',
  },
  MISSING_PERMISSION: { status: 403, message: 'Your role does not include this; see holders.' },
  Forbidden: { status: 403, message: 'The credential is valid but may not do this.' },
  NOT_FOUND: { status: 404, message: 'No such endpoint. See the API description.' },
  EVENT_NOT_FOUND: { status: 404, message: 'No event has this event_id.' },
  DECISION_NOT_FOUND: { status: 404, message: 'No decision has this id.' },
  METRIC_NOT_FOUND: {
    status: 404,
    message: 'No metric has this name. GET /v1/patterns/chunks lists the eleven metrics.',
  },
  METRIC_HAS_NO_DATA: {
    status: 404,
    message: 'This metric has no analysis yet. It appears after a daily run that has data for it.',
  },
  COMPANY_NOT_FOUND: { status: 404, message: 'No company has this id.' },
  SOURCE_NOT_FOUND: { status: 404, message: 'No source has this id.' },
  WEBHOOK_NOT_FOUND: { status: 404, message: 'No webhook has this id, or it is switched off.' },
  DELIVERY_NOT_PROVEN: {
    status: 401,
    message: 'The delivery does not carry the secret or the signature of this source.',
  },
  KEY_NOT_FOUND: { status: 404, message: 'No key has this id.' },
  PERSON_NOT_FOUND: { status: 404, message: 'Nobody of this company has this id.' },
  INVITATION_NOT_FOUND: {
    status: 404,
    message:
      'This invitation is not valid: it was used, has ended after 7 days, or never was. Ask for another.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not take that method; see the Allow header.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    message: 'The Accept header must include both application/json and text/event-stream.',
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    message: 'A company holds at most 3 active keys. Revoke one before you create another.',
  },
  ACCOUNT_EXISTS: {
    status: 409,
    message: 'This e-mail address has an account. Sign in with it, then open the invitation again.',
  },
  ALREADY_MEMBER: {
    status: 409,
    message: 'This address belongs to somebody who is in the company already. Change the role instead.',
  },
  LAST_OWNER: { status: 409, message: 'A company keeps at least one owner. Make somebody else owner first.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  TOO_MANY_EVENTS: { status: 413, message: 'A request carries at most 500 events or CSV rows. Split it.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than this address takes.' },
  EXPECTATION_FAILED: { status: 417, message: 'Of the Expect header only 100-continue is understood.' },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'The address and the header fields of the request are more than 16 KiB together. Shorten them.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This address does not take that Content-Type.' },
  QUOTA_EXCEEDED: {
    status: 429,
    message: 'The monthly quota of this key is used up. It resets at resetAt.',
  },
  TOO_MANY_FAILED_ATTEMPTS: {
    status: 429,
    message: 'Too many failed authentications from this address. Try again after Retry-After seconds.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests in this window. Try again after Retry-After seconds.',
  },
  ANALYSIS_REQUESTED_RECENTLY: {
    status: 429,
    message:
      'An analysis was asked for less than five minutes ago; GET /ingest/status shows it. Ask again after Retry-After seconds.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Quote the requestId when you report it.',
  },
  NOT_IMPLEMENTED: {
    status: 501,
    message: 'Of the Transfer-Encoding header only chunked is understood.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message:
      'The service cannot answer just now. Send the request again after Retry-After: an event that was stored already counts once.',
  },
});

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** Why a self-serve key was refused (`reason` of self_serve_auth_failed). */
export const KEY_REFUSALS = [
  'INVALID_FORMAT',
  'TOKEN_NOT_FOUND',
  'TOKEN_INACTIVE',
  'TOKEN_EXPIRED',
  'TOKEN_LOCKED',
  'TOKEN_INVALID',
] as const;
export type KeyRefusal = (typeof KEY_REFUSALS)[number];
