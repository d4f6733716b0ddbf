import { exp } from '../numerics/exp';
import { jeffreysInterval } from '../numerics/jeffreys-interval';
import { log } from '../numerics/log';
import { square } from '../numerics/square';
import { requireDomain } from '../numerics/stats-domain-error';

/** Replies of settled messages, by how long they took. */
export interface SettledDelays {
  /** days after which a message counts as settled */
  readonly matureDays: number;
  /** by whole days between sending and answering; the last entry holds all that took as long or longer */
  readonly repliesByDelay: ArrayLike<number>;
  /** settled messages by whole days since they were sent: zeros before `matureDays` */
  readonly messagesByAge: ArrayLike<number>;
}

/** How replies arrive that come after the days in which a message settles. */
export interface LateReplies {
  /** share of all replies that come after `matureDays`, those still to come included */
  readonly share: number;
  /** share of the replies that have arrived by a number of whole and half days >= 0; 1 at the end of time */
  readonly arrivedBy: (days: number) => number;
  /** whole days after which 95 % of the replies have arrived */
  readonly completeDays: number;
}

/**
 * Of replies so many have to be late, beyond doubt, before it is told: where the usual delay is two days with a spread of
 * 1.5 on its logarithm, a tenth is late, and that is still a company whose rates are about right.
 */
const NOTABLE_SHARE = 0.15;
/** Fewer replies say too little. */
const FEWEST_REPLIES = 20;
/** The tail is exponential, and fitted from so many days before the delays end that are told apart. */
const TAIL_DAYS = 7;
/** Fewer days of it show no slope. */
const FEWEST_TAIL_DAYS = 3;
/** Mean further delay in the tail, in days: what it is beforehand, and the candidates. */
const USUAL_TAIL = 14;
const LOG_TAIL_SD = 0.7;
const LOG_TAILS = Array.from({ length: 49 }, (_, i) => -1.8 + i * 0.075);
/** Rates of messages so old are taken for complete. */
const COMPLETE = 0.95;
/** Nothing is taken for incomplete any longer. */
const LONGEST_DAYS = 365;

/** An exponential tail: replies per message and day at its beginning, and days until they are a third. */
interface Tail {
  readonly density: number;
  readonly scale: number;
}

/**
 * Whether a notable share of a channel's replies comes after its messages count as settled, and how they arrive: per delay,
 * replies over the messages that had been watched for so long, with an exponential tail behind the delays that are told apart.
 * Messages on which a reply is still to come thus take no part in what they cannot know. It supposes that old and new
 * messages are answered alike.
 *
 * Shapes: two arrays of any length in, one curve or null out.
 * @param delays - counts >= 0, and 1..28 days of maturity
 * @returns null where fewer than a notable share is late beyond chance, or too few days show how they arrive
 * @throws StatsDomainError with code `count` or `range`
 *
 * Reference: Kalbfleisch and Lawless (1989), Journal of the American Statistical Association 84, 360-372 (reporting delays).
 * Oracle: known delays by simulation, late-replies.spec.ts.
 *
 * @example
 * fitLateReplies({ matureDays: 14, repliesByDelay: [50, 30, 15], messagesByAge: [] }); // null
 */
export function fitLateReplies(delays: SettledDelays): LateReplies | null {
  check(delays);
  const { matureDays, repliesByDelay } = delays;
  const openFrom = repliesByDelay.length - 1;
  if (!isNotable(delays)) return null;
  const oldest = delays.messagesByAge.length - 1;
  const end = Math.min(openFrom, oldest);
  const from = Math.max(matureDays, end - TAIL_DAYS);
  if (end - from < FEWEST_TAIL_DAYS) return null;
  const densities = Array.from(
    { length: end },
    (_, delay) => countAt(repliesByDelay, delay) / watched(delays, delay),
  );
  const tail = fitTail(delays, from, end);
  // What is left of the tail where the delays that are told apart end.
  const rest = (tail.density * exp((from - end) / tail.scale)) / (1 - exp(-1 / tail.scale));
  const arrived = [0];
  for (const density of densities) arrived.push((arrived.at(-1) as number) + density);
  const all = (arrived[end] as number) + rest;
  const arrivedBy = (days: number): number => {
    requireDomain(days >= 0, 'range', 'days must be >= 0');
    if (days >= end) return 1 - (rest / all) * exp((end - days) / tail.scale);
    const [before, after] = [arrived[Math.floor(days)] as number, arrived[Math.floor(days) + 1] as number];
    return (before + (days - Math.floor(days)) * (after - before)) / all;
  };
  let completeDays = matureDays;
  while (completeDays < LONGEST_DAYS && arrivedBy(completeDays) < COMPLETE) completeDays += 1;
  return { share: 1 - arrivedBy(matureDays), arrivedBy, completeDays };
}

function isNotable({ matureDays, repliesByDelay }: SettledDelays): boolean {
  let [all, late] = [0, 0];
  for (let delay = 0; delay < repliesByDelay.length; delay += 1) {
    all += countAt(repliesByDelay, delay);
    if (delay >= matureDays) late += countAt(repliesByDelay, delay);
  }
  return all >= FEWEST_REPLIES && jeffreysInterval(late, all, 0.95).low > NOTABLE_SHARE;
}

/** Messages that were watched for a day of delay. Those of that very age were for half of it, as they were sent throughout their day. */
function watched({ messagesByAge }: SettledDelays, delay: number): number {
  let messages = countAt(messagesByAge, delay) / 2;
  for (let age = delay + 1; age < messagesByAge.length; age += 1) messages += countAt(messagesByAge, age);
  return messages;
}

/** The posterior's mode of its scale; the density is the likeliest one for each. Counts are Poisson. */
function fitTail(delays: SettledDelays, from: number, end: number): Tail {
  const { repliesByDelay, messagesByAge } = delays;
  const openFrom = repliesByDelay.length - 1;
  let best = { density: 0, scale: USUAL_TAIL, logPosterior: -Infinity };
  for (const logTail of LOG_TAILS) {
    const scale = USUAL_TAIL * exp(logTail);
    const bins = Array.from({ length: end - from }, (_, bin) => ({
      replies: countAt(repliesByDelay, from + bin),
      expected: watched(delays, from + bin) * exp(-bin / scale),
    }));
    if (end === openFrom) {
      let expected = 0;
      for (let age = openFrom; age < messagesByAge.length; age += 1)
        expected +=
          (countAt(messagesByAge, age) * (exp((from - openFrom) / scale) - exp((from - age - 0.5) / scale))) /
          (1 - exp(-1 / scale));
      bins.push({ replies: countAt(repliesByDelay, openFrom), expected });
    }
    const replies = bins.reduce((sum, bin) => sum + bin.replies, 0);
    const expected = bins.reduce((sum, bin) => sum + bin.expected, 0);
    const logPosterior = bins.reduce(
      (sum, bin) => sum + (bin.replies > 0 ? bin.replies * log(bin.expected / expected) : 0),
      -0.5 * square(logTail / LOG_TAIL_SD),
    );
    if (logPosterior > best.logPosterior) best = { density: replies / expected, scale, logPosterior };
  }
  return best;
}

function check({ matureDays, repliesByDelay, messagesByAge }: SettledDelays): void {
  requireDomain(
    Number.isInteger(matureDays) && matureDays >= 1 && matureDays <= 28,
    'range',
    'maturity must be 1..28 whole days',
  );
  for (const counts of [repliesByDelay, messagesByAge])
    for (let i = 0; i < counts.length; i += 1)
      requireDomain(
        countAt(counts, i) >= 0 && countAt(counts, i) < Infinity,
        'count',
        'counts must be finite and >= 0',
      );
}

function countAt(counts: ArrayLike<number>, at: number): number {
  return counts[at] ?? 0;
}
