const DAY_MS = 86_400_000;

/** Runs with the clock of the machine, ahead of it by what it was advanced. */
export class RunningClock {
  private aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  advance(ms: number): void {
    this.aheadMs += ms;
  }
}

/** Stands until it is moved. */
export class StandingClock {
  private timeMs: number;

  /** @param time - ISO 8601 */
  constructor(time: string) {
    this.timeMs = Date.parse(time);
  }

  now(): Date {
    return new Date(this.timeMs);
  }

  /** @param time - ISO 8601 text, or a Date */
  set(time: string | Date): void {
    this.timeMs = new Date(time).getTime();
  }

  advance(ms: number): void {
    this.timeMs += ms;
  }

  advanceDays(days: number): void {
    this.advance(days * DAY_MS);
  }
}
