import type { CohortCells } from './cohort-row';

const FIRST_CAPACITY = 64;

/** Cohorts in columns, in order of (day, channel, step, position): some forty bytes each. */
export class CohortColumns {
  size = 0;
  day = new Int32Array(FIRST_CAPACITY);
  channel = new Uint8Array(FIRST_CAPACITY);
  step = new Uint8Array(FIRST_CAPACITY);
  position = new Uint8Array(FIRST_CAPACITY);
  touches = new Int32Array(FIRST_CAPACITY);
  replies = new Int32Array(FIRST_CAPACITY);
  streamed = new Int32Array(FIRST_CAPACITY);
  /** milliseconds since 1970, NaN where no outcome is known */
  lastOutcomeAt = new Float64Array(FIRST_CAPACITY);

  /** @returns the place of the new row. Rows come in their order. */
  push(cells: CohortCells, lastOutcomeAt: number): number {
    if (this.size === this.day.length) this.grow(this.size * 2);
    const at = this.size;
    this.size += 1;
    this.day[at] = cells.day;
    this.channel[at] = cells.channel;
    this.step[at] = cells.step;
    this.position[at] = cells.position;
    this.touches[at] = cells.touches;
    this.replies[at] = cells.replies;
    this.streamed[at] = cells.streamed;
    this.lastOutcomeAt[at] = lastOutcomeAt;
    return at;
  }

  /** Appends all rows of other columns. */
  addAll(rows: CohortColumns): void {
    const [at, size] = [this.size, this.size + rows.size];
    if (size > this.day.length) this.grow(Math.max(size, this.day.length * 2));
    this.day.set(rows.day.subarray(0, rows.size), at);
    this.channel.set(rows.channel.subarray(0, rows.size), at);
    this.step.set(rows.step.subarray(0, rows.size), at);
    this.position.set(rows.position.subarray(0, rows.size), at);
    this.touches.set(rows.touches.subarray(0, rows.size), at);
    this.replies.set(rows.replies.subarray(0, rows.size), at);
    this.streamed.set(rows.streamed.subarray(0, rows.size), at);
    this.lastOutcomeAt.set(rows.lastOutcomeAt.subarray(0, rows.size), at);
    this.size = size;
  }

  cellsAt(row: number): CohortCells {
    return {
      day: this.day[row] ?? 0,
      channel: this.channel[row] ?? 0,
      step: this.step[row] ?? 0,
      position: this.position[row] ?? 0,
      touches: this.touches[row] ?? 0,
      replies: this.replies[row] ?? 0,
      streamed: this.streamed[row] ?? 0,
    };
  }

  protected grow(length: number): void {
    this.day = copied(new Int32Array(length), this.day);
    this.channel = copied(new Uint8Array(length), this.channel);
    this.step = copied(new Uint8Array(length), this.step);
    this.position = copied(new Uint8Array(length), this.position);
    this.touches = copied(new Int32Array(length), this.touches);
    this.replies = copied(new Int32Array(length), this.replies);
    this.streamed = copied(new Int32Array(length), this.streamed);
    this.lastOutcomeAt = copied(new Float64Array(length), this.lastOutcomeAt);
  }
}

/** The same numbers in longer memory. */
export function copied<Column extends { set(from: Column): void }>(into: Column, from: Column): Column {
  into.set(from);
  return into;
}
