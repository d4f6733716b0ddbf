// What people look at while it runs, and at the end: a line a minute, and a picture of each series.
import { kinds, type Tally } from './client.ts';
import type { Company } from './companies.ts';
import { now } from './load.ts';
import type { Sampler } from './sampler.ts';
import { apps } from './services.ts';
import { blocks, quantile, type Point } from './trend.ts';

const BARS = '▁▂▃▄▅▆▇█';
const WIDTH = 48;
const HEAD_EVERY = 15;
const columns = [
  ...['minute', 'events/s', 'p99 ms', 'reads/s', 'p99 ms', 'calls/s', 'p99 ms', 'age s'],
  ...['RSS ingest', 'worker', 'read', 'mcp', 'console', 'pg', 'redis', 'wrong'],
];

/** Prints a line of figures for each stretch of the load. */
export class Minutes {
  readonly rows: string[][] = [];
  readonly #companies: readonly Company[];
  readonly #sampler: Sampler;
  readonly #began = now();
  #from = now();
  #events: number;

  constructor(companies: readonly Company[], sampler: Sampler) {
    this.#companies = companies;
    this.#sampler = sampler;
    this.#events = this.#stored();
  }

  print(tally: Tally) {
    const [from, to] = [this.#from, now()];
    const events = (this.#stored() - this.#events) / (to - from);
    this.#events = this.#stored();
    this.#from = to;
    const of = (kind: (typeof kinds)[number]) => {
      const all = tally.latencies(kind).filter(({ at }) => at >= from && at < to);
      const p99 = quantile(
        all.map(({ milliseconds }) => milliseconds),
        0.99,
      );
      return { rate: all.length / (to - from), p99: p99.toFixed(0) };
    };
    const last = (series: string, digits = 0) =>
      (this.#sampler.points(series).at(-1)?.value ?? NaN).toFixed(digits);
    const [ingest, read, mcp] = [of('ingest'), of('read'), of('mcp')];
    const row = [
      ...[((to - this.#began) / 60).toFixed(1), events.toFixed(0), ingest.p99],
      ...[read.rate.toFixed(1), read.p99, mcp.rate.toFixed(1), mcp.p99, last('queue age', 1)],
      ...apps.map((app) => last(`${app} rss`)),
      ...[last('connections'), last('redis MB', 1), String(tally.failures)],
    ];
    if (this.rows.length % HEAD_EVERY === 0) console.log(formatRow(columns));
    this.rows.push(row);
    console.log(formatRow(row));
  }

  #stored() {
    return this.#companies.reduce((sum, { stored }) => sum + stored.events, 0);
  }
}

const formatRow = (cells: readonly string[]) =>
  `  ${cells.map((cell, at) => cell.padStart(columns[at]?.length ?? 0)).join('  ')}`;

/** A line of bars, from the least value to the largest, with both in figures. */
export function picture(name: string, points: readonly Point[], from: number, to: number): string {
  const some = points.filter(({ at }) => at >= from && at <= to);
  const values = blocks(some, (to - from) / WIDTH).map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const bars = values.map((value) => {
    const share = most > least ? (value - least) / (most - least) : 0;
    return BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))];
  });
  return `  ${name.padEnd(26)} ${bars.join('').padEnd(WIDTH + 1)}  ${least.toFixed(1)} to ${most.toFixed(1)}`;
}

export interface QuestionTimes {
  readonly kind: string;
  /** Without what differs from recipient to recipient. */
  readonly name: string;
  readonly requests: number;
  /** Milliseconds, of the first third and of the last. */
  readonly median: readonly [number, number];
  readonly p99: readonly [number, number];
}

/** How long each question took early and late, the slowest of late first: tells whose p99 it is that grows. */
export function questionTimes(tally: Tally, from: number, to: number): QuestionTimes[] {
  const third = (to - from) / 3;
  const questions = kinds.flatMap((kind) => {
    const byName = Map.groupBy(tally.latencies(kind), ({ name }) =>
      name.replace(/(recipient|campaign)-\d+/, '$1').replace(/\/[0-9a-f-]{36}\//, '/company/'),
    );
    return [...byName].map(([name, latencies]) => {
      const [early, late] = [from, to - third].map((start) =>
        latencies
          .filter(({ at }) => at >= start && at < start + third)
          .map(({ milliseconds }) => milliseconds),
      ) as [number[], number[]];
      const of = (share: number) => [quantile(early, share), quantile(late, share)] as const;
      return { kind, name, requests: latencies.length, median: of(0.5), p99: of(0.99) };
    });
  });
  return questions.toSorted((a, b) => b.p99[1] - a.p99[1]);
}

/** Every series that was sampled, and the p99 of each kind of request. */
export function pictures(sampler: Sampler, tally: Tally, from: number, to: number): string[] {
  const latency = kinds.map((kind) => {
    const stretches = Map.groupBy(tally.latencies(kind), ({ at }) =>
      Math.floor((at - from) / ((to - from) / WIDTH)),
    );
    const points = [...stretches].map(([stretch, ofOne]) => ({
      at: from + ((stretch + 0.5) * (to - from)) / WIDTH,
      value: quantile(
        ofOne.map(({ milliseconds }) => milliseconds),
        0.99,
      ),
    }));
    return picture(`${kind} p99 ms`, points, from, to);
  });
  return [...sampler.series].map(([name, points]) => picture(name, points, from, to)).concat(latency);
}

export function markdown(parts: {
  title: string;
  head: readonly string[];
  lines: readonly { promise: string; what: string; measured: string; limit: string; verdict: string }[];
  rows: readonly (readonly string[])[];
  charts: readonly string[];
}): string {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const verdicts = parts.lines.map(({ verdict, promise, what, measured, limit }) => [
    ...[verdict, promise, what, measured, limit],
  ]);
  return [
    `# ${parts.title}`,
    parts.head.join('  \n'),
    '## Verdicts',
    table(['', 'promise', 'what', 'measured', 'limit'], verdicts),
    '## By minute',
    table(columns, parts.rows),
    '## Series',
    `\`\`\`text\n${parts.charts.join('\n')}\n\`\`\``,
  ]
    .join('\n\n')
    .concat('\n');
}
