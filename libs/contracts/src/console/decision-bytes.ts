/**
 * What was frozen with a decision, as the exact texts that are stored, for whoever makes it again. No text names a
 * contact, a message, a campaign or the company, and none holds words of theirs: numbers, and values of closed lists.
 */
export interface DecisionBytes {
  readonly decisionId: string;
  readonly engineVersion: string;
  /** JSON; null where it is gone. */
  readonly model: string | null;
  /** As it was stored with the decision, whose id rests on it. */
  readonly modelSha256: string;
  /** JSON. */
  readonly inputs: string;
  /** Of the text above as it was read: it tells what the way from here has changed, and nothing older. */
  readonly inputsSha256: string;
  /** JSON. */
  readonly result: string;
  /** Like that of the inputs. */
  readonly resultSha256: string;
}
