/** What can be wrong with one field of one event. Codes never change within a major version. */
export type FaultCode =
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
  | 'INVALID_ROW';

/** A fault of one field. `field` is empty where the event as a whole is at fault. */
export interface FieldFault {
  readonly field: string;
  readonly code: FaultCode;
  /** One sentence that says how to fix it. Never holds a value that was sent. */
  readonly message: string;
}

/** More faults than this are not listed for one event: the caller fixes these and sends again. */
export const MAX_FAULTS_PER_EVENT = 20;

export const fault = (field: string, code: FaultCode, message: string): FieldFault => ({
  field,
  code,
  message,
});
