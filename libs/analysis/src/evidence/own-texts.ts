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

  /** @param rows - other texts than before */
  add(rows: Iterable<OwnText>): void {
    const all = [...rows];
    const touches = all.reduce((sum, row) => sum + row.touches, 0);
    this.touches += touches;
    // What is rare among these texts is rarer among all.
    this.candidates.push(...all.filter((row) => row.touches > 0 && row.touches >= OWN_SHARE * touches));
  }

  /** @returns ascending by id */
  finish(): OwnText[] {
    return this.candidates
      .filter(({ touches }) => touches >= OWN_SHARE * this.touches)
      .sort((a, b) => a.textId - b.textId);
  }
}
