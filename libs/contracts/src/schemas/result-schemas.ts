import { ALERT_CATALOGUE, type AlertCode } from '../alerts/catalogue';
import type { ErrorCode } from '../errors/catalogue';
import { QUESTIONS } from '../questions/catalogue';
import { ANALYSIS_RECORD } from '../questions/parts/analysis-record';
import { PATTERN_RECORD } from '../questions/parts/pattern-record';
import { RECIPIENT_PROFILE } from '../questions/parts/recipient-profile';
import type { Question } from '../questions/question';
import { errorSchemaName, errorSchemaOf } from './errors';
import { ENVELOPE_FRAME } from '../questions/parts/frame';
import {
  constant,
  known,
  record,
  reference,
  text,
  timestamp,
  type Properties,
  type Schema,
} from './json-schema';

/** Parts that several results refer to, by name. */
export const RESULT_PARTS: Readonly<Record<string, Schema>> = {
  AlertCode: known(Object.keys(ALERT_CATALOGUE) as AlertCode[], 'A code of the alert catalogue.'),
  AnalysisRecord: ANALYSIS_RECORD,
  PatternRecord: PATTERN_RECORD,
  RecipientProfile: RECIPIENT_PROFILE,
};

/** What is answered, and its parts, by name. */
export const RESULT_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...RESULT_PARTS,
  ...Object.fromEntries(QUESTIONS.map(({ name, result }) => [name, result])),
};

/** The envelope of every successful read around one result. */
export function envelopeSchemaOf({ name, ofRun = false }: Question): Schema {
  const fields: Properties = {
    success: constant(true, 'Always true.'),
    message: text('A short sentence for people.'),
    data: reference(name),
    ...(ofRun && ENVELOPE_FRAME),
    timestamp: timestamp('Time of the answer.'),
  };
  return record(fields);
}

/** Bodies of the given errors, by the name of their schema. */
export function errorSchemas(codes: Iterable<ErrorCode>): Record<string, Schema> {
  return Object.fromEntries(
    [...new Set(codes)].sort().map((code) => [errorSchemaName(code), errorSchemaOf(code)]),
  );
}
