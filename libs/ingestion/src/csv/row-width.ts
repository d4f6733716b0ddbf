/** More cells than any header can name, and few enough to collect in no time. */
const MAX_CELLS = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const NEWLINE = 0x0a;

/**
 * Counts the cells of each row before the parser collects them: five million commas in one row would stall the
 * process for half a second.
 */
export class RowWidth {
  private isQuoted = false;
  private cells = 0;

  /**
   * @param piece - the next bytes of the body
   * @returns false where a row has more cells than any may have
   */
  takes(piece: Buffer): boolean {
    for (const byte of piece) {
      // A doubled quote ends the quotation and begins it again.
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      else if (this.isQuoted) continue;
      else if (byte === NEWLINE) this.cells = 0;
      else if (byte === COMMA && ++this.cells > MAX_CELLS) return false;
    }
    return true;
  }
}
