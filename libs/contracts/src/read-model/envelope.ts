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
