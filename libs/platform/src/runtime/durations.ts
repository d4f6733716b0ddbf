import { Histogram, type Registry } from 'prom-client';

/** Seconds. From the fastest answers to those that a caller gives up on. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Durations of one kind that wait to be put into the histogram. */
const MAX_WAITING = 1_000;

export interface DurationsOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly registry: Registry;
}

/** Durations of what has the same labels. */
export class DurationSeries {
  private readonly seconds: number[] = [];

  /** @param observe - puts durations into the histogram, under the labels of this series */
  constructor(private readonly observe: (seconds: readonly number[]) => void) {}

  add(seconds: number): void {
    if (this.seconds.push(seconds) >= MAX_WAITING) this.flush();
  }

  flush(): void {
    this.observe(this.seconds);
    this.seconds.length = 0;
  }
}

/**
 * How long things took, as a histogram. Durations are put into it many together, at the latest when it is read: it
 * seeks the labels of each by their text, which many in a row make cheaper.
 */
export class Durations<Label extends string> {
  private readonly histogram: Histogram<Label>;
  private readonly series: DurationSeries[] = [];

  constructor({ name, help, labelNames, registry }: DurationsOptions<Label>) {
    const flushAll = () => this.series.forEach((one) => one.flush());
    this.histogram = new Histogram({
      ...{ name, help, labelNames: [...labelNames], buckets: BUCKETS, registers: [registry] },
      collect: flushAll,
    });
  }

  /** None yet under these labels, so that a rate can be told from the first. */
  zero(labels: Record<Label, string>): void {
    this.histogram.zero(labels);
  }

  /** To be kept by the caller, one for all that has these labels. */
  of(labels: Record<Label, string>): DurationSeries {
    const series = new DurationSeries((seconds) => {
      const place = this.histogram.labels(labels);
      for (const duration of seconds) place.observe(duration);
    });
    this.series.push(series);
    return series;
  }
}
