/** From this share of its messages on a text is a campaign's own; `textFamilies` joins campaigns by such texts. */
const OWN_SHARE = 0.05;

/** A text that makes up much of a campaign. */
export interface OwnText {
  readonly textId: number;
  readonly touches: number;
}

/**
 * Ways in which the texts of messages are told apart: by body and by subject. Either is a draw of its own, and how texts are
 * spread over the sides of a contrast follows from the way in which the sides are farther apart.
 */
export type WaysOfTexts<Of> = readonly [bodies: Of, subjects: Of];

export const NO_TEXTS: WaysOfTexts<readonly never[]> = [[], []];

/** Finds a campaign's own texts, at most twenty, among any number of them. */
export class OwnTexts {
  private touches = 0;
  private candidates: OwnText[] = [];

  /** A text that was not added before. */
  add(textId: number, touches: number): void {
    this.touches += touches;
    // What is rare among the texts up to here is rarer among all.
    if (touches > 0 && touches >= OWN_SHARE * this.touches) this.candidates.push({ textId, touches });
  }

  /** @returns ascending by id */
  finish(): OwnText[] {
    return this.candidates
      .filter(({ touches }) => touches >= OWN_SHARE * this.touches)
      .sort((a, b) => a.textId - b.textId);
  }
}
