/**
 * Reads Postgres arrays of counts in text form, e.g. `{3,0,12}`. The driver's own parser makes a string of each
 * number and costs ten times as much, and these arrays are the bulk of what a run reads.
 */
export class IntegerArray {
  private numbers = new Int32Array(128);

  /** @returns the numbers, in memory that the next call writes over */
  parse(text: string): Int32Array {
    let count = 0;
    let value = -1;
    for (let i = 0; i < text.length; i += 1) {
      const digit = text.charCodeAt(i) - 48;
      if (digit >= 0 && digit <= 9) {
        value = (value < 0 ? 0 : value * 10) + digit;
      } else if (value >= 0) {
        this.put(count, value);
        count += 1;
        value = -1;
      }
    }
    return this.numbers.subarray(0, count);
  }

  private put(at: number, value: number): void {
    if (at === this.numbers.length) {
      const longer = new Int32Array(at * 2);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.numbers[at] = value;
  }
}
