import {
  CHANNELS,
  MATURITY_DAYS,
  POSITIONS,
  type BacktestForecast,
  type Channel,
  type Position,
} from '@outcomes/contracts';
import { dayCounts, forwardArms } from '@outcomes/statistics';
import { analyseChannel } from '../changes/analyse-channel';
import {
  NEW_CHANNEL,
  type ChannelHistory,
  type ChannelNotes,
  type ChannelState,
  type KeptChange,
} from '../changes/channel-history';
import { isoDay } from '../cohorts/days';
import { rounded } from '../documents/rounding';

/** Days that a stated rate is about; forecasts are made so far apart, so that no message is in two of them. */
const AHEAD_DAYS = 30;
/** Fewer days of sends are nothing to state a rate from. */
const FEWEST_DAYS = 28;

/** How far forecasts may reach. Days are since 1970-01-01. */
interface ForecastSpan {
  /** Forecasts are made before this day. */
  readonly until: number;
  /** Day up to which outcomes are known. */
  readonly observedUntil: number;
  readonly now: Date;
}

/**
 * The rates that would have been stated of a channel every 30 days, each from what had settled by then, and what came
 * of the messages of the 30 days after it. The analysis is the one that runs, with its looks for changes.
 */
export async function forecastHistory(
  history: ChannelHistory,
  { until, observedUntil, now }: ForecastSpan,
): Promise<BacktestForecast[]> {
  const channel = CHANNELS[history.channel] as Channel;
  const maturity = MATURITY_DAYS[channel];
  const forecasts: BacktestForecast[] = [];
  let [state, ledger]: [ChannelState, readonly KeptChange[]] = [NEW_CHANNEL, []];
  const first = history.firstDay + FEWEST_DAYS + maturity;
  const last = Math.min(until, observedUntil - maturity - AHEAD_DAYS);
  for (let asOf = first; asOf <= last; asOf += AHEAD_DAYS) {
    const settled = asOf - maturity;
    const known: ChannelHistory = {
      ...{ ...history, state, ledger, isKept: true },
      // Of days that had not settled, today's counts know replies that nobody knew then.
      days: (from, to) => history.days(from, Math.min(to, settled)),
    };
    const findings = await analyseChannel(known, {
      ...{ observedUntil: asOf, settledShare: () => 1, inTime: () => 1, now, looks: true },
    });
    // Of a channel that is kept and looked at, every run leaves notes.
    const { lookedThrough, memory } = findings.notes as ChannelNotes;
    state = { ...NEW_CHANNEL, lookedThrough, memory };
    ledger = findings.ledger;
    const [from, to] = [asOf + 1, asOf + AHEAD_DAYS];
    const { counts } = await history.days(from, to);
    const came = POSITIONS.map(() => ({ n: 0, y: 0 }));
    for (const { n, y } of dayCounts(counts, POSITIONS.length, from, to))
      came.forEach((own, position) => {
        own.n += n[position] ?? 0;
        own.y += y[position] ?? 0;
      });
    const arms = findings.arms.flatMap(({ n, y }, place) => (n > 0 ? [{ place, n, y }] : []));
    const fit = forwardArms(arms, findings.variances);
    forecasts.push(
      ...fit.arms.flatMap(({ target: { alpha, beta, low, high } }, at) => {
        const { place } = arms[at] as (typeof arms)[number];
        const outcome = came[place] as (typeof came)[number];
        if (outcome.n === 0) return [];
        return [
          {
            ...{ madeOn: isoDay(asOf), channel, position: POSITIONS[place] as Position },
            ...{ predicted: rounded(alpha / (alpha + beta)), low: rounded(low), high: rounded(high) },
            ...outcome,
          },
        ];
      }),
    );
  }
  return forecasts;
}
