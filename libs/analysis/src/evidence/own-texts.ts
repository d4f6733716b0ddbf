/** From this share of its messages on a text is a campaign's own; `textFamilies` joins campaigns by such texts. */
const OWN_SHARE = 0.05;

/**
 * Texts that make up much of a campaign, ascending by id, and the messages of each. Of all campaigns of a company they are
 * held at once: two arrays of numbers take a third of what an object for each text takes.
 */
export interface OwnTexts {
  readonly ids: readonly number[];
  readonly n: readonly number[];
}

export const NO_OWN_TEXTS: OwnTexts = { ids: [], n: [] };

/**
 * Ways in which the texts of messages are told apart: by body and by subject. Either is a draw of its own, and how texts are
 * spread over the sides of a contrast follows from the way in which the sides are farther apart.
 */
export type WaysOfTexts<Of> = readonly [bodies: Of, subjects: Of];

export const WAYS = 2;
export const NO_TEXTS: WaysOfTexts<OwnTexts> = [NO_OWN_TEXTS, NO_OWN_TEXTS];

/** Finds a campaign's own texts, at most twenty, among any number of them. */
export class OwnTextSearch {
  private touches = 0;
  private readonly candidates: { readonly id: number; readonly touches: number }[] = [];

  /** A text that was not added before. */
  add(id: number, touches: number): void {
    this.touches += touches;
    // What is rare among the texts up to here is rarer among all.
    if (touches > 0 && touches >= OWN_SHARE * this.touches) this.candidates.push({ id, touches });
  }

  finish(): OwnTexts {
    const own = this.candidates.filter(({ touches }) => touches >= OWN_SHARE * this.touches);
    if (own.length === 0) return NO_OWN_TEXTS;
    own.sort((a, b) => a.id - b.id);
    return { ids: own.map(({ id }) => id), n: own.map(({ touches }) => touches) };
  }
}
