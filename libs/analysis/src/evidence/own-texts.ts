import type { SortedTexts } from '@outcomes/persistence';

/** From this share of its messages on a text is a campaign's own; `textFamilies` joins campaigns by such texts. */
const OWN_SHARE = 0.05;

/** A text that makes up much of a campaign. */
export interface OwnText {
  readonly textId: number;
  readonly touches: number;
}

/** Finds a campaign's own texts, at most twenty, among any number of them. */
export class OwnTexts {
  private touches = 0;
  private candidates: OwnText[] = [];

  /** @param texts - other ones than before */
  add({ ids, touches }: SortedTexts): void {
    let sum = 0;
    for (let at = 0; at < touches.length; at += 1) sum += touches[at] as number;
    this.touches += sum;
    // What is rare among these texts is rarer among all.
    const least = OWN_SHARE * sum;
    for (let at = 0; at < touches.length; at += 1) {
      const own = touches[at] as number;
      if (own > 0 && own >= least) this.candidates.push({ textId: ids[at] as number, touches: own });
    }
  }

  /** @returns ascending by id */
  finish(): OwnText[] {
    return this.candidates
      .filter(({ touches }) => touches >= OWN_SHARE * this.touches)
      .sort((a, b) => a.textId - b.textId);
  }
}
