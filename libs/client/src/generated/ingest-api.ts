// Made by generate.mjs from the API description: "npm run types -w libs/client".
export interface components {
  schemas: {
    readonly AnalysisRequested: {
      /** @description Names the analysis that will answer the request, in logs and to support. */
      readonly run_key: string;
      /** @description It is stored and comes as soon as a worker is free. */
      readonly status: 'queued' | (string & {});
    };
    readonly CsvAnswer: {
      /** @description Events that are stored now, those that were there before included. */
      readonly accepted: number;
      /** @description Accepted events that were there before, with the same content. */
      readonly duplicates: number;
      /** @description One entry per field at fault. */
      readonly errors: readonly {
        /** @description The code to branch on. */
        readonly code:
          | 'REQUIRED'
          | 'UNKNOWN_FIELD'
          | 'INVALID_TYPE'
          | 'NOT_ALLOWED'
          | 'OUT_OF_RANGE'
          | 'EMPTY'
          | 'TOO_LONG'
          | 'INVALID_CHARACTER'
          | 'INVALID_UUID'
          | 'INVALID_EMAIL'
          | 'INVALID_TIME'
          | 'TIME_TOO_EARLY'
          | 'TIME_IN_FUTURE'
          | 'OUTCOME_BEFORE_SENT'
          | 'FACT_AND_OUTCOME'
          | 'EVENT_ID_CONFLICT'
          | 'METADATA_TOO_LARGE'
          | 'METADATA_TOO_DEEP'
          | 'FORBIDDEN_KEY'
          | 'INVALID_EVENT'
          | 'INVALID_ROW'
          | (string & {});
        /** @description Field at fault; empty where the event as a whole is. */
        readonly field: string;
        /** @description How to fix it. */
        readonly message: string;
        /** @description Data row, from 1. */
        readonly row: number;
      }[];
      /** @description Events with a fault, and those whose event_id is that of another event. */
      readonly rejected: number;
      /** @description Only with Prefer: return=representation. */
      readonly results?: readonly {
        /** @description Id of the event, given or derived; null where the event has a fault. */
        readonly event_id: string | null;
        /** @description Data row, from 1. */
        readonly row: number;
        /** @description What became of it. */
        readonly status: 'accepted' | 'duplicate' | 'rejected' | (string & {});
      }[];
      /** @description Opt-outs and bounces of rejected events, which hold all the same; absent where there are none. */
      readonly taken_anyway?: readonly {
        /**
         * Format: uuid
         * @description Id of the event that it is stored as; with it the opt-out or bounce can be deleted.
         */
        readonly event_id: string;
        /** @description What holds. */
        readonly outcome: 'bounced' | 'unsubscribed' | (string & {});
        /** @description Data row, from 1. */
        readonly row: number;
      }[];
    };
    /** @description One record, or several, in the form of the tool. Any content type is taken for JSON. */
    readonly Delivery:
      | {
          readonly [key: string]: unknown;
        }
      | readonly {
          readonly [key: string]: unknown;
        }[];
    readonly DeliveryAnswer: {
      /** @description Events that are stored now, those that were there before included; also opt-outs and bounces of records that are held or ignored. */
      readonly accepted: number;
      /** @description Those of them that were there before. */
      readonly duplicates: number;
      /** @description One entry per field at fault. */
      readonly errors: readonly {
        /** @description The code to branch on. */
        readonly code:
          | 'REQUIRED'
          | 'UNKNOWN_FIELD'
          | 'INVALID_TYPE'
          | 'NOT_ALLOWED'
          | 'OUT_OF_RANGE'
          | 'EMPTY'
          | 'TOO_LONG'
          | 'INVALID_CHARACTER'
          | 'INVALID_UUID'
          | 'INVALID_EMAIL'
          | 'INVALID_TIME'
          | 'TIME_TOO_EARLY'
          | 'TIME_IN_FUTURE'
          | 'OUTCOME_BEFORE_SENT'
          | 'FACT_AND_OUTCOME'
          | 'EVENT_ID_CONFLICT'
          | 'METADATA_TOO_LARGE'
          | 'METADATA_TOO_DEEP'
          | 'FORBIDDEN_KEY'
          | 'INVALID_EVENT'
          | 'INVALID_ROW'
          | (string & {});
        /** @description Field at fault; empty where the event as a whole is. */
        readonly field: string;
        /** @description Position of the record, from 0. */
        readonly index: number;
        /** @description How to fix it. */
        readonly message: string;
      }[];
      /** @description Records that are no news about a message. */
      readonly ignored: number;
      /** @description Records that make events with a fault; they are kept too. */
      readonly rejected: number;
      /** @description Records that cannot be read yet, and are kept until they can, for 30 days. */
      readonly waiting: number;
    };
    /** @description An analysis was asked for less than five minutes ago; GET /ingest/status shows it. Ask again after Retry-After seconds. */
    readonly 'Error.ANALYSIS_REQUESTED_RECENTLY': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'ANALYSIS_REQUESTED_RECENTLY';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The delivery does not carry the secret or the signature of this source. */
    readonly 'Error.DELIVERY_NOT_PROVEN': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'DELIVERY_NOT_PROVEN';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The CSV header names the same column twice. */
    readonly 'Error.DUPLICATE_COLUMN': {
      /** @description Name of the column at fault. */
      readonly column: string;
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'DUPLICATE_COLUMN';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No event has this event_id. */
    readonly 'Error.EVENT_NOT_FOUND': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'EVENT_NOT_FOUND';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The credential is valid but may not do this. */
    readonly 'Error.Forbidden': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'Forbidden';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The address and the header fields of the request are more than 16 KiB together. Shorten them. */
    readonly 'Error.HEADERS_TOO_LARGE': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'HEADERS_TOO_LARGE';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Something went wrong on our side. Quote the requestId when you report it. */
    readonly 'Error.INTERNAL_ERROR': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INTERNAL_ERROR';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description X-Actor-Type must be agent, user or service, and X-Actor-Id 1 to 128 visible ASCII characters. */
    readonly 'Error.INVALID_ACTOR': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_ACTOR';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The body is not valid CSV (RFC 4180, UTF-8, a header row first). */
    readonly 'Error.INVALID_CSV': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_CSV';
      /** @description Line at fault, from 1. */
      readonly line?: number;
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The body is not valid UTF-8, or its Content-Encoding is broken. */
    readonly 'Error.INVALID_ENCODING': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_ENCODING';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description event_id must be a UUID. */
    readonly 'Error.INVALID_EVENT_ID': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_EVENT_ID';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The body is not valid JSON. Send one JSON document in UTF-8. */
    readonly 'Error.INVALID_JSON': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_JSON';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description A parameter is missing or has a value that is not allowed. */
    readonly 'Error.INVALID_PARAMETER': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_PARAMETER';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description Name of the parameter at fault. */
      readonly parameter: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The request does not have the documented shape. */
    readonly 'Error.INVALID_REQUEST': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'INVALID_REQUEST';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Unknown credential. */
    readonly 'Error.invalid_token': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'invalid_token';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description This address does not take that method; see the Allow header. */
    readonly 'Error.METHOD_NOT_ALLOWED': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'METHOD_NOT_ALLOWED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The CSV header lacks a required column. */
    readonly 'Error.MISSING_COLUMN': {
      /** @description Name of the column at fault. */
      readonly column: string;
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'MISSING_COLUMN';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description recipient_id is required: give it once, not empty, as ?recipient_id=… */
    readonly 'Error.MISSING_RECIPIENT_ID': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'MISSING_RECIPIENT_ID';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No credential was sent. Send the header "Authorization: Bearer <API_KEY>". */
    readonly 'Error.missing_token': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'missing_token';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No such endpoint. See the API description. */
    readonly 'Error.NOT_FOUND': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'NOT_FOUND';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The body is larger than this address takes. */
    readonly 'Error.PAYLOAD_TOO_LARGE': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'PAYLOAD_TOO_LARGE';
      /** @description Most bytes of a body. */
      readonly limit?: number;
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Too many requests in this window. Try again after Retry-After seconds. */
    readonly 'Error.RATE_LIMITED': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'RATE_LIMITED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The request took too long to arrive. Send it again. */
    readonly 'Error.REQUEST_TIMEOUT': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'REQUEST_TIMEOUT';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The API key was not accepted; see reason. */
    readonly 'Error.self_serve_auth_failed': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'self_serve_auth_failed';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description Why the key was refused. */
      readonly reason:
        | 'INVALID_FORMAT'
        | 'TOKEN_NOT_FOUND'
        | 'TOKEN_INACTIVE'
        | 'TOKEN_EXPIRED'
        | 'TOKEN_LOCKED'
        | 'TOKEN_INVALID'
        | (string & {});
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The service cannot answer just now. Send the request again after Retry-After: an event that was stored already counts once. */
    readonly 'Error.SERVICE_UNAVAILABLE': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'SERVICE_UNAVAILABLE';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description No source has this id. */
    readonly 'Error.SOURCE_NOT_FOUND': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'SOURCE_NOT_FOUND';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description This credential serves several tenants. Name one: X-Tenant-Id header (tenant_id argument on MCP). */
    readonly 'Error.TENANT_REQUIRED': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'TENANT_REQUIRED';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description A request carries at most 500 events or CSV rows. Split it. */
    readonly 'Error.TOO_MANY_EVENTS': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'TOO_MANY_EVENTS';
      /** @description Most events or rows in a request. */
      readonly limit: number;
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description Too many failed authentications from this address. Try again after Retry-After seconds. */
    readonly 'Error.TOO_MANY_FAILED_ATTEMPTS': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'TOO_MANY_FAILED_ATTEMPTS';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description The CSV header names a column that does not exist. */
    readonly 'Error.UNKNOWN_COLUMN': {
      /** @description Name of the column at fault. */
      readonly column: string;
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'UNKNOWN_COLUMN';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    /** @description This address does not take that Content-Type. */
    readonly 'Error.UNSUPPORTED_MEDIA_TYPE': {
      /**
       * @description The code to branch on; it never changes within a major version.
       * @constant
       */
      readonly error: 'UNSUPPORTED_MEDIA_TYPE';
      /** @description How to fix the request, for people. */
      readonly message: string;
      /** @description The X-Request-Id of the answer, to quote in reports. */
      readonly requestId: string;
      /**
       * @description Always false.
       * @constant
       */
      readonly success: false;
      /**
       * Format: date-time
       * @description Time of the answer.
       */
      readonly timestamp: string;
    };
    readonly EventDeleted: {
      /**
       * @description Always 1.
       * @constant
       */
      readonly deleted: 1;
      /**
       * Format: uuid
       * @description The event that is gone.
       */
      readonly event_id: string;
    };
    readonly EventsAnswer: {
      /** @description Events that are stored now, those that were there before included. */
      readonly accepted: number;
      /** @description Accepted events that were there before, with the same content. */
      readonly duplicates: number;
      /** @description One entry per field at fault. */
      readonly errors: readonly {
        /** @description The code to branch on. */
        readonly code:
          | 'REQUIRED'
          | 'UNKNOWN_FIELD'
          | 'INVALID_TYPE'
          | 'NOT_ALLOWED'
          | 'OUT_OF_RANGE'
          | 'EMPTY'
          | 'TOO_LONG'
          | 'INVALID_CHARACTER'
          | 'INVALID_UUID'
          | 'INVALID_EMAIL'
          | 'INVALID_TIME'
          | 'TIME_TOO_EARLY'
          | 'TIME_IN_FUTURE'
          | 'OUTCOME_BEFORE_SENT'
          | 'FACT_AND_OUTCOME'
          | 'EVENT_ID_CONFLICT'
          | 'METADATA_TOO_LARGE'
          | 'METADATA_TOO_DEEP'
          | 'FORBIDDEN_KEY'
          | 'INVALID_EVENT'
          | 'INVALID_ROW'
          | (string & {});
        /** @description Field at fault; empty where the event as a whole is. */
        readonly field: string;
        /** @description Position in events, from 0. */
        readonly index: number;
        /** @description How to fix it. */
        readonly message: string;
      }[];
      /** @description Events with a fault, and those whose event_id is that of another event. */
      readonly rejected: number;
      /** @description Only with Prefer: return=representation. */
      readonly results?: readonly {
        /** @description Id of the event, given or derived; null where the event has a fault. */
        readonly event_id: string | null;
        /** @description Position in events, from 0. */
        readonly index: number;
        /** @description What became of it. */
        readonly status: 'accepted' | 'duplicate' | 'rejected' | (string & {});
      }[];
      /** @description Opt-outs and bounces of rejected events, which hold all the same; absent where there are none. */
      readonly taken_anyway?: readonly {
        /**
         * Format: uuid
         * @description Id of the event that it is stored as; with it the opt-out or bounce can be deleted.
         */
        readonly event_id: string;
        /** @description Position in events, from 0. */
        readonly index: number;
        /** @description What holds. */
        readonly outcome: 'bounced' | 'unsubscribed' | (string & {});
      }[];
    };
    readonly IngestStatus: {
      /** @description Whether an analysis runs, is due and waits for a worker, or neither. */
      readonly analysis: 'idle' | 'queued' | 'running' | (string & {});
      /** @description Batches that failed five times and are tried no more until an operator has looked at them. */
      readonly batches_parked: number;
      /** @description Requests, or groups of small ones, that are stored and not counted yet. */
      readonly batches_pending: number;
      /** @description Events in them. */
      readonly events_pending: number;
      /** @description Events whose message is not known yet. */
      readonly events_waiting: number;
      /** @description The newest analysis; null before the first. */
      readonly last_analysis: {
        /**
         * Format: date-time
         * @description Events that were stored up to here are in it.
         */
        readonly data_as_of: string;
        /** @description When it ended; null while it runs. */
        readonly finished_at: string | null;
        /**
         * Format: uuid
         * @description The run.
         */
        readonly run_id: string;
        /**
         * Format: date-time
         * @description When it began.
         */
        readonly started_at: string;
        /** @description What became of it. */
        readonly state: 'running' | 'succeeded' | 'failed' | (string & {});
      } | null;
      /** @description When events were last counted; null before the first. */
      readonly last_processed_at: string | null;
      /** @description Of the events that were stored last the one with the newest outcome_at; null before the first. */
      readonly newest_event: {
        /**
         * Format: date-time
         * @description When it was stored.
         */
        readonly ingested_at: string;
        /** @description Its outcome_at; null where it was deleted before it was counted. */
        readonly outcome_at: string | null;
      } | null;
      /** @description The next analysis. */
      readonly next_analysis: {
        /** @description When it is due at the earliest; in the past while it waits for a worker. Null where that is not known yet. */
        readonly at: string | null;
        /** @description first_data: the first day of a company. growth: at least a tenth more messages. daily: every night. requested: by a caller or after a deletion. */
        readonly reason: 'first_data' | 'growth' | 'daily' | 'requested' | (string & {});
      };
      /** @description Whether stored history is being counted again after an upgrade. Answers may change until it is done. */
      readonly rebuild_under_way: boolean;
      /** @description Since when something is counted that no analysis has read; null where there is nothing. */
      readonly unanalysed_since: string | null;
    };
    /** @description What came of one outbound message, or another fact about it. Messages are told apart by recipient_id, channel, thread, sequence_step and sent_at to the second. null in an optional field means that it is absent. */
    readonly OutcomeEvent: {
      /** @description The message, where you choose to send it. Never returned, logged or audited. */
      readonly body?: string | null;
      /** @description Beginning of the message. */
      readonly body_excerpt?: string | null;
      /**
       * @description How the message was sent.
       * @enum {string}
       */
      readonly channel: 'email' | 'linkedin';
      /** @description Makes sending again harmless: the same event counts once. Without one it is derived from recipient, channel, thread, step, times and outcome or fact. The same id with other content is rejected (EVENT_ID_CONFLICT). */
      readonly event_id?: string | null;
      /** @description What else is known of the message, in an event of its own and at any later time. A message that is told by sent alone counts as unanswered once its time for replies is over, so that silence need not be reported. */
      readonly fact?: ('sent' | 'opened' | 'clicked' | 'auto_replied' | 'meeting_booked') | null;
      /** @description Industry of the recipient. */
      readonly industry?: string | null;
      /** @description The sending tool's id of the sent message, the same in each event about it. Stored as a hash. Stands in for sent_at. */
      readonly message_ref?: string | null;
      /** @description Any JSON object: at most 2,048 bytes when serialised, 8 levels deep, without the key __proto__. Numbers are read as IEEE 754 doubles, so send long ids as text. The keys below have a meaning. */
      readonly metadata?:
        | ({
            /** @description Text. With outcome "bounced": "hard" says that it is for good, which the list of suppressions tells; "soft" that it is tried again. A soft bounce is stored as no_response up to outcome_at and suppresses nobody. Anything else is a bounce of unknown kind, and suppresses. */
            readonly bounce?: unknown;
            /** @description Text or number: names the campaign of the message. */
            readonly campaign_id?: unknown;
            /** @description Text; the first 100 characters are kept. Company of the recipient: a message that holds it is personalized. */
            readonly company?: unknown;
            /** @description Boolean. With outcome "unsubscribed": true says that the message was reported as spam; the list of suppressions gives that as the reason. */
            readonly complaint?: unknown;
            /** @description Text; the first 100 characters are kept. First name of the recipient: a message that holds it is personalized. */
            readonly first_name?: unknown;
            /** @description Boolean. true counts a meeting for the message (total_meetings). A meeting that comes later is an event of its own with fact "meeting_booked". */
            readonly meeting_booked?: unknown;
            /** @description Boolean. true counts the message as opened (total_opens). An open that comes later is an event of its own with fact "opened". */
            readonly opened?: unknown;
            /** @description Number from 0.000001 to 0.999999, six decimals: probability with which the message got its variant. Marks it as assigned at random, too. Any other value has no effect. */
            readonly propensity?: unknown;
            /** @description Text or number: names the campaign where there is no campaign_id. */
            readonly sequence_id?: unknown;
            /** @description Text that is not empty, or a number; the first 100 characters are kept. Names the variant that the message got at random; such messages count as randomized evidence. */
            readonly variant_id?: unknown;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      /** @description What came of the message. Required, except where fact is there: an event has one of the two. unsubscribed is an opt-out: no later event lifts it. */
      readonly outcome?: ('no_response' | 'responded' | 'bounced' | 'unsubscribed') | null;
      /** @description YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS[.fraction]] with Z or an offset up to 14:00; from 1990 to 24 hours ahead. When the outcome or fact happened. Not before sent_at, unless outcome_at_is is not_before. Required, except with fact sent: then it is sent_at. */
      readonly outcome_at?: string | null;
      /** @description Whether outcome_at is the time itself (exact, the default) or a bound of it. */
      readonly outcome_at_is?: ('exact' | 'not_before' | 'not_after') | null;
      /** @description RFC 5321 address, for reply detection: in ASCII, a domain such as müller.de as xn--mller-kva.de. Stored as a hash and a domain, never as it is. */
      readonly recipient_email?: string | null;
      /** @description Your own identifier of the prospect. */
      readonly recipient_id: string;
      /** @description Job title; put into a position bucket. */
      readonly recipient_position?: string | null;
      /** @description YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS[.fraction]] with Z or an offset up to 14:00; from 1990 to 24 hours ahead. When the message was sent: to the second, it says which message of a thread and step the event is about. Required, except where message_ref names the message, and with a fact other than sent: then the event joins the newest message on that channel to that recipient, in that campaign or thread and step, that was sent by then, as soon as that message is known. */
      readonly sent_at?: string | null;
      /** @description Zero-based step of the sequence. */
      readonly sequence_step: number;
      /** @description Subject line. */
      readonly subject?: string | null;
      /** @description Conversation; derived from tenant, recipient and campaign where left out. */
      readonly thread_id?: string | null;
      /** @description Tone of the message. */
      readonly tone?: ('direct' | 'conversational' | 'professional' | 'empathetic' | 'questioning') | null;
      /** @description Words of the body. */
      readonly word_count?: number | null;
    } & (
      | (({
          readonly fact?: null;
        } & {
          readonly outcome: string;
          readonly outcome_at: string;
        }) &
          (
            | {
                readonly sent_at: string;
              }
            | {
                readonly message_ref: string;
              }
          ))
      | (({
          readonly outcome?: null;
        } & {
          /** @constant */
          readonly fact: 'sent';
        }) &
          (
            | {
                readonly sent_at: string;
              }
            | {
                readonly message_ref: string;
                readonly outcome_at: string;
              }
          ))
      | ({
          readonly outcome?: null;
        } & {
          readonly fact: string;
          readonly outcome_at: string;
        })
    );
    /** @description Up to 500 events, or a single one without the wrapper. */
    readonly OutcomeEvents:
      | {
          /** @description Outcome events. */
          readonly events: readonly components['schemas']['OutcomeEvent'][];
        }
      | components['schemas']['OutcomeEvent'];
    readonly RecipientDeleted: {
      /** @description Events that are gone; 0 where there were none. */
      readonly deleted: number;
      /** @description The recipient. */
      readonly recipient_id: string;
      /** @description What became of an opt-out or a bounce of the recipient: kept as hashes and dates, removed, or none that stood. */
      readonly suppression: 'kept' | 'removed' | 'none' | (string & {});
    };
    readonly ReplayedDeliveries: {
      /** @description Events that are stored now, those that were there before included. */
      readonly accepted: number;
      /** @description Those that were there before. */
      readonly duplicates: number;
      /** @description Held records that were read again. */
      readonly looked_at: number;
      /** @description Pass as after to go on; null after the last. */
      readonly next: string | null;
      /** @description Those that could be read, and are held no more. */
      readonly released: number;
    };
    readonly Sources: {
      /** @description The oldest first. */
      readonly sources: readonly {
        /**
         * Format: date-time
         * @description When it was made.
         */
        readonly created_at: string;
        /** @description What is kept for 30 days until it can be read. */
        readonly held: readonly {
          /** @description Why it could not be made an event yet, such as UNKNOWN_STEP_ID or unknown_type. */
          readonly reason: string;
          /** @description How many are held. */
          readonly records: number;
        }[];
        /** @description When something authentic came last; null before the first. Up to a second late. */
        readonly last_delivery_at: string | null;
        /** @description Told where a source delivers what became of mails, and never that one was sent; null where there is nothing to say. */
        readonly no_sent_events: {
          /** @description What it means and what to do. */
          readonly message: string;
          /**
           * Format: date-time
           * @description When the source was made: nothing of what was sent has come since.
           */
          readonly since: string;
          /** @description What has to be switched on in the tool, as the tool names it; one of them will do. */
          readonly types: readonly string[];
        } | null;
        /** @description Up to when everything is taken to be here: 15 minutes before the last delivery. */
        readonly observed_until: string | null;
        /** @description Id of the source, as in the address that the tool delivers to. */
        readonly source: string;
        /** @description Whether deliveries are taken. */
        readonly state: 'active' | 'revoked' | (string & {});
        /** @description Which tool it is. */
        readonly tool: string;
        /** @description What came, the most frequent first. */
        readonly types: readonly {
          /**
           * Format: date-time
           * @description When the last one came.
           */
          readonly last_at: string;
          /** @description How many came. */
          readonly records: number;
          /** @description As the tool names it; "other" beyond fifty, "unnamed" where nothing names it. */
          readonly type: string;
        }[];
        /** @description Facts that are stored and wait for their message, such as replies to a mail that nobody has told to be sent; counted up to 100,000. Opt-outs and bounces hold without one and are left out. */
        readonly waiting: number;
      }[];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  readonly requestAnalysis: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Asked for; it comes as soon as a worker is free. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AnalysisRequested'];
        };
      };
    };
  };
  readonly postCsv: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description `return=representation` lists what became of each event. */
        readonly Prefer?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'text/csv': string;
      };
    };
    readonly responses: {
      /** @description Stored. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['CsvAnswer'];
        };
      };
    };
  };
  readonly postEvents: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description `return=representation` lists what became of each event. */
        readonly Prefer?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['OutcomeEvents'];
      };
    };
    readonly responses: {
      /** @description Stored. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EventsAnswer'];
        };
      };
    };
  };
  readonly deleteRecipient: {
    readonly parameters: {
      readonly query: {
        /** @description true keeps an opt-out or a bounce that blocks the recipient, also through an e-mail address shared with another, as hashes and dates, so that nobody writes to them again; false, the default, removes it. Anything else is refused. */
        readonly keep_suppression?: boolean;
        /** @description recipient_id of the events. */
        readonly recipient_id: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Deleted. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['RecipientDeleted'];
        };
      };
    };
  };
  readonly deleteEvent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description event_id of the event. */
        readonly event_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Deleted. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EventDeleted'];
        };
      };
    };
  };
  readonly replay: {
    readonly parameters: {
      readonly query: {
        /** @description next of the answer before. */
        readonly after?: string;
        /** @description Oldest receipt, ISO 8601 with offset; everything that is held where absent. */
        readonly since?: string;
        /** @description Id of the source. */
        readonly source: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Read. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ReplayedDeliveries'];
        };
      };
    };
  };
  readonly sources: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The sources. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Sources'];
        };
      };
    };
  };
  readonly receive: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the source; it names company and tool, and proves nothing. */
        readonly source: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['Delivery'];
      };
    };
    readonly responses: {
      /** @description Stored, or held. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['DeliveryAnswer'];
        };
      };
    };
  };
  readonly receiveWithToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id of the source; it names company and tool, and proves nothing. */
        readonly source: string;
        /** @description The secret of the source. */
        readonly token: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['Delivery'];
      };
    };
    readonly responses: {
      /** @description Stored, or held. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['DeliveryAnswer'];
        };
      };
    };
  };
  readonly status: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The state of now. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['IngestStatus'];
        };
      };
    };
  };
}
