/** Why a record, or a whole file, does not become events. */
export const FAULT_CODES = [
  'INVALID_ADDRESS',
  'INVALID_STEP',
  'UNKNOWN_STEP_ID',
  'INVALID_TIME',
  'INVALID_NUMBER',
  'UNMAPPED_VALUE',
  'MISSING_VALUE',
  'TOKEN_NOT_FILLED',
  'TIME_ZONE_NEEDED',
  'AMBIGUOUS_DATES',
  'CAMPAIGN_NEEDED',
  'OBSERVED_UNTIL_NEEDED',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** Faults that more of the same file would repeat: nothing of it is sent until the reader has said what is meant. */
export const OF_THE_FILE: ReadonlySet<FaultCode> = new Set([
  'TIME_ZONE_NEEDED',
  'AMBIGUOUS_DATES',
  'CAMPAIGN_NEEDED',
  'OBSERVED_UNTIL_NEEDED',
]);

/** What is wrong with a row, by the code of its fault. */
export const ROW_FAULTS = {
  INVALID_ADDRESS: 'not an e-mail address, such as name@example.com.',
  INVALID_STEP: 'not a step in the form that the profile expects. The page of the tool shows it.',
  UNKNOWN_STEP_ID: 'the id of a step that the profile does not know.',
  INVALID_TIME: 'not a date or time in a form that the profile reads, or one that does not exist.',
  INVALID_NUMBER: 'not a whole number.',
  UNMAPPED_VALUE: 'a value that the profile does not know.',
  MISSING_VALUE: 'empty, but required.',
  TOKEN_NOT_FILLED: 'a variable that the tool did not fill in.',
} as const satisfies Partial<Record<FaultCode, string>>;

export interface RecordFault {
  readonly code: FaultCode;
  /** Column or keys. */
  readonly column: string;
}

/** Thrown while a record is read; whoever reads it makes an answer of it. */
export class UnreadableValue extends Error {
  constructor(readonly fault: RecordFault) {
    super(`${fault.code} in ${fault.column}`);
    this.name = 'UnreadableValue';
  }
}

export function unreadable(code: FaultCode, column: string): UnreadableValue {
  return new UnreadableValue({ code, column });
}

/** What sticks does so even where the record cannot be read to its end. @returns undefined where it cannot be read */
export function readable<Found>(read: () => Found): Found | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableValue) return undefined;
    throw error;
  }
}
