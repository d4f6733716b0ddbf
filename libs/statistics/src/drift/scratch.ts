/**
 * Memory that one window after the other is worked out in. An analysis from scratch looks at hundreds of windows of tens of
 * kilobytes each; when each window had arrays of its own, they lay outside of V8's heap, which did not know them for garbage before there were
 * tens of megabytes.
 */
export class Scratch {
  private readonly doubles: Float64Array[] = [];
  private readonly integers: Int32Array[] = [];

  /**
   * @param place - 0 and up; what was there before is overwritten
   * @returns numbers of any value
   */
  float64(place: number, length: number): Float64Array {
    const known = this.doubles[place];
    const held =
      known && known.length >= length ? known : (this.doubles[place] = new Float64Array(roomy(length)));
    return held.subarray(0, length);
  }

  /** The same of integers. */
  int32(place: number, length: number): Int32Array {
    const known = this.integers[place];
    const held =
      known && known.length >= length ? known : (this.integers[place] = new Int32Array(roomy(length)));
    return held.subarray(0, length);
  }
}

/** Windows grow day by day. */
const roomy = (length: number): number => Math.ceil(1.5 * length);
