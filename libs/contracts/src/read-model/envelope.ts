import type { AlertCode } from '../alerts/catalogue';
import type { ResultFrame, Trust } from './results';

/** What an answer with a document of a run says of the run, beside the document. */
export interface EnvelopeFrame
  extends Pick<ResultFrame, 'analysed_at' | 'data_as_of' | 'newest_outcome_at'>, Trust {
  /** Whether the numbers may be acted upon, and why not: a sentence. */
  readonly summary: string;
  readonly alerts: readonly AlertCode[];
}

/** What every successful REST read answers. */
export interface Envelope<Data> {
  readonly success: true;
  readonly message: string;
  readonly data: Data;
  readonly timestamp: string;
}

/** @param message - one short sentence for people */
export function envelopeOf<Data>(data: Data, message: string, at: Date): Envelope<Data> {
  return { success: true, message, data, timestamp: at.toISOString() };
}
