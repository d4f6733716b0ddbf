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

/** Of what has the same labels. */
export interface DurationSeries {
  add(seconds: number): void;
}

/**
 * How long things took, as a histogram. Durations are put into it many together, at the latest when it is read: it
 * seeks the labels of each by their text, which costs half as much for many in a row.
 */
export class Durations<Label extends string> {
  private readonly histogram: Histogram<Label>;
  private readonly waiting: { readonly labels: Record<Label, string>; readonly seconds: number[] }[] = [];

  constructor({ name, help, labelNames, registry }: DurationsOptions<Label>) {
    const observeAll = () => this.waiting.forEach(({ labels, seconds }) => this.observe(labels, seconds));
    this.histogram = new Histogram({
      ...{ name, help, labelNames: [...labelNames], buckets: BUCKETS, registers: [registry] },
      collect: observeAll,
    });
  }

  /** To be kept by the caller, one for all that has these labels. */
  of(labels: Record<Label, string>): DurationSeries {
    const seconds: number[] = [];
    this.waiting.push({ labels, seconds });
    return {
      add: (duration) => {
        if (seconds.push(duration) >= MAX_WAITING) this.observe(labels, seconds);
      },
    };
  }

  private observe(labels: Record<Label, string>, seconds: number[]): void {
    const series = this.histogram.labels(labels);
    for (const duration of seconds) series.observe(duration);
    seconds.length = 0;
  }
}
