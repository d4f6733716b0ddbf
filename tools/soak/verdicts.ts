// What is promised of a soak, held against what was measured in a stretch of it.
import type { Tally } from './client.ts';
import { measured } from './load.ts';
import type { Reckoning } from './reckoning.ts';
import type { Sampler } from './sampler.ts';
import { apps, memoryLimits, pools } from './services.ts';
import { blocks, quantile, ratioOf, trendOf, type Point } from './trend.ts';

/** `value` is the end of the interval that decides; undecided where the limit lies within the interval. */
export interface Verdict {
  readonly promise: string;
  readonly name: string;
  readonly what: string;
  readonly value: number;
  readonly limit: { readonly most: number } | { readonly exactly: number } | { readonly least: number };
  readonly unit?: string;
  readonly isUndecided?: boolean;
}

export interface Evidence {
  readonly sampler: Sampler;
  readonly tally: Tally;
  readonly reckoning: Reckoning;
  /** Seconds of the clock of `performance`. */
  readonly from: number;
  readonly to: number;
  /** When all was reckoned up: services have to live until then. */
  readonly until: number;
}

/** A run has so many blocks, and two thirds of them show a trend. */
const BLOCKS = 60;
/** Parts of a run that each have a p99: minutes of half an hour. */
const PARTS = 30;
const HOURS = 24;
/**
 * Resident memory and open files move in steps, and a run cannot tell slower growth from rest than uses up what there is
 * in so many times its length: half an hour tells what lasts for six hours, two hours what lasts for a day.
 */
const TIMES_LENGTH = 12;
const SHORTEST_HOURS = 6;
/** The alert OutcomesBatchesLate is raised at this age of a waiting batch (k8s/chart/files/alerts.yaml). */
const LATE_SECONDS = 300;
/** Redis holds windows of keys and jobs, neither of which adds up with events: a day may not cost more than this. */
const REDIS_MEGABYTES = 100;
/** What a container may have open, where nobody has set it higher. */
const OPEN_FILES = 1_024;
/** Minutes differ by a half on a machine that does other things as well. */
const MOST_TIMES = 1.5;

export function judge(evidence: Evidence): Verdict[] {
  return [
    ...answers(evidence),
    ...counts(evidence),
    ...processes(evidence),
    ...memory(evidence),
    ...lag(evidence),
    ...stores(evidence),
  ];
}

const none = { limit: { exactly: 0 } } as const;

function answers({ tally }: Evidence): Verdict[] {
  const what = `unexpected answers and time-outs, of ${tally.answered + tally.failures} (${tally.provoked} provoked 4xx)`;
  return [{ promise: 'answers', name: 'answers', what, value: tally.failures, ...none }];
}

function counts({ reckoning }: Evidence): Verdict[] {
  const { events, missing, ids, counted, rest, mcp, kept, runs } = reckoning;
  const promise = 'counted';
  return [
    { name: 'stored', what: `of ${events} accepted events lost or too many in Postgres`, value: missing },
    { name: 'ids', what: 'companies in which the sum of ids differs', value: ids },
    { name: 'counts', what: 'messages by outcome: difference of accepted and counts', value: counted },
    { name: 'rest', what: 'messages: difference of accepted and counted over REST', value: rest },
    { name: 'mcp', what: 'the same over MCP', value: mcp },
    { name: 'retention', what: 'events that had not expired and went, or had and did not', value: kept },
    { name: 'nights', what: 'daily runs that have not succeeded', value: runs },
  ].map((verdict) => ({ promise, ...verdict, ...none }));
}

function processes({ sampler, from, until }: Evidence): Verdict[] {
  const within = ({ at }: { at: number }) => at >= from && at <= until;
  const promise = 'services';
  return [
    {
      name: 'restarts',
      what: 'restarts and unanswered looks',
      value: sampler.restarts.filter(within).length,
    },
    { name: 'errors', what: 'lines of level error in the logs', value: sampler.errors.filter(within).length },
  ].map((verdict) => ({ promise, ...verdict, ...none }));
}

function memory(evidence: Evidence): Verdict[] {
  return apps.flatMap((app) => {
    const resident = stretch(evidence, `${app} rss`);
    const most = Math.max(...resident.map(({ value }) => value));
    const room = memoryLimits[app] - most;
    const unit = 'MB/h';
    return [
      growth(evidence, { promise: 'memory', series: `${app} heap`, bound: room / HOURS, unit }),
      growth(evidence, { promise: 'memory', series: `${app} rss`, bound: room / horizon(evidence), unit }),
      {
        ...{ promise: 'memory', name: `${app} most`, what: `${app}: resident memory at most` },
        ...{ value: most, limit: { most: memoryLimits[app] }, unit: 'MB' },
      },
    ];
  });
}

function lag(evidence: Evidence): Verdict[] {
  const age = stretch(evidence, 'queue age').map(({ value }) => value);
  const bound = (LATE_SECONDS - quantile(age, 0.5)) / HOURS;
  return [
    growth(evidence, { promise: 'lag', series: 'queue age', bound, unit: 's/h' }),
    ...measured.map((kind) => {
      const { from, to, tally } = evidence;
      const third = (to - from) / 3;
      const p99s = (start: number) =>
        p99sOf(tally.latencies(kind), start, start + third, (to - from) / PARTS);
      const [early, late] = [p99s(from), p99s(to - third)];
      const { ratio, low, high } = ratioOf(late, early);
      const figures = `${quantile(early, 0.5).toFixed(0)} ms to ${quantile(late, 0.5).toFixed(0)} ms, ${ratio.toFixed(2)} times`;
      return {
        ...{ promise: 'lag', name: `${kind} p99`, what: `${kind}: p99, first to last third: ${figures}` },
        ...interval(low, high, MOST_TIMES, 'x'),
      };
    }),
  ];
}

function stores(evidence: Evidence): Verdict[] {
  const connections = stretch(evidence, 'connections').map(({ value }) => value);
  const most = apps.reduce((sum, app) => sum + pools[app], 0);
  return [
    growth(evidence, { promise: 'stores', series: 'redis MB', bound: REDIS_MEGABYTES / HOURS, unit: 'MB/h' }),
    {
      ...{ promise: 'stores', name: 'connections', what: 'connections of services to Postgres at most' },
      ...{ value: Math.max(...connections), limit: { most } },
    },
    ...apps.map((app) =>
      growth(evidence, {
        promise: 'stores',
        series: `${app} files`,
        bound: OPEN_FILES / horizon(evidence),
        unit: '/h',
      }),
    ),
  ];
}

/** Hours that a run of this length can speak for. */
function horizon({ from, to }: Evidence): number {
  return Math.min(HOURS, Math.max(SHORTEST_HOURS, (TIMES_LENGTH * (to - from)) / 3_600));
}

/** The trend of a series over the last two thirds of the stretch: what has warmed up by then is not growth. */
function growth(
  evidence: Evidence,
  { promise, series, bound, unit }: { promise: string; series: string; bound: number; unit: string },
): Verdict {
  const { from, to } = evidence;
  const points = stretch(evidence, series).filter(({ at }) => at >= from + (to - from) / 3);
  const { slope, low, high, level } = trendOf(blocks(points, (to - from) / BLOCKS));
  const figures = `${level.toFixed(1)}, ${signed(slope)} (${signed(low)} to ${signed(high)}) ${unit}`;
  return { promise, name: series, what: `${series}: ${figures}`, ...interval(low, high, bound, unit) };
}

/** By its end that decides: the whole interval is below the limit, or above. */
function interval(low: number, high: number, most: number, unit: string) {
  const isUndecided = !(high <= most) && !(low > most);
  return { value: high <= most ? high : low, limit: { most }, unit, isUndecided };
}

function stretch({ sampler, from, to }: Evidence, series: string): Point[] {
  return sampler.points(series).filter(({ at }) => at >= from && at <= to);
}

export function p99sOf(
  latencies: readonly { readonly at: number; readonly milliseconds: number }[],
  from: number,
  to: number,
  seconds: number,
): number[] {
  const some = latencies.filter(({ at }) => at >= from && at < to);
  const stretches = Map.groupBy(some, ({ at }) => Math.floor((at - from) / seconds));
  return [...stretches.values()].map((ofOne) =>
    quantile(
      ofOne.map(({ milliseconds }) => milliseconds),
      0.99,
    ),
  );
}

const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(Math.abs(value) < 10 ? 2 : 0)}`;
