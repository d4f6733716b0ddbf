import { ArmMemory, type DayCounts, dayCounts, fitArms, forwardArms } from '../arms';
import { campaignTurnover, type ChannelCounts, extendLedger, lookForChange, mixAndVolume } from '../drift';
import { familiesOf, judgeEvidence, scoreCampaign } from '../evidence';
import { seededRng } from '../random';
import { channelWorld, generateEvidence } from '../testing';
import { atMost, type Check } from './check';

/** Days until a send day has settled, as for e-mail. */
const SETTLING_DAYS = 14;

/** Processor time of this process so far, in milliseconds; handed in, since this library knows no clock. */
export type CpuClock = () => number;

/** A worker is warm: the compiler has seen these loops for many companies. */
const WARM_UP = 15;
const ROUNDS = 61;

function median(cpu: CpuClock, work: () => void): number {
  const once = (): number => {
    const began = cpu();
    work();
    return cpu() - began;
  };
  for (let i = 0; i < WARM_UP; i++) once();
  const times = Array.from({ length: ROUNDS }, once).sort((a, b) => a - b);
  return times[(ROUNDS - 1) / 2] as number;
}

/** Arms, and evidence of 12 campaigns over 180 days of 60 messages; one of them has changed and is scored anew. */
function armsAndEvidence(cpu: CpuClock): number {
  const company = generateEvidence(
    { days: 180, campaigns: 12, campaignSd: 0.4, effects: { 'tone.4': 0.6 } },
    91,
  );
  const { design } = company;
  const counts = company.counts();
  const families = familiesOf(design, counts);
  const changed = counts[counts.length - 1];
  const arms = Array.from({ length: 12 }, (_, arm) => ({ n: 900 / (arm + 1), y: 40 / (arm + 1) }));
  return median(cpu, () => {
    fitArms(arms);
    if (changed) scoreCampaign(design, changed);
    judgeEvidence(design, families);
  });
}

/** A week: the memory scores its forecasts on one day of seven. */
const WEEK = 7;
const KNOWN_DAYS = 365;

interface KeptChannel {
  readonly counts: ChannelCounts;
  readonly daily: readonly DayCounts[];
  /** the memory on the evening before the week */
  readonly saved: Float64Array;
}

function keptChannel(seed: number): KeptChannel {
  const spec = { days: KNOWN_DAYS + WEEK, sendsPerDay: 250, campaignSd: 0.4, daySd: 0.2 };
  const { counts, positions, days } = channelWorld(spec, seededRng(seed));
  const daily = dayCounts(counts, positions, 0, days);
  const memory = new ArmMemory(positions);
  for (const day of daily) if (day.day < KNOWN_DAYS - SETTLING_DAYS) memory.add(day);
  return { counts, daily, saved: memory.save() };
}

/** What one channel's day takes of the daily run: the look, the day's memory, the forecasts, and the facts. */
function looksAndMemory({ counts, daily }: KeptChannel, saved: Float64Array, day: number): Float64Array {
  const settled = day - SETTLING_DAYS;
  const memory = ArmMemory.restore(saved);
  extendLedger(counts, [], settled, settled);
  for (const one of daily) if (one.day === settled) memory.add(one);
  const variance = lookForChange(counts, 0, settled)?.campaignVariance ?? 0;
  const turnover = campaignTurnover(counts, day, 0, variance);
  const [target, current] = [memory.weights(day, 30), memory.weights(day, 7)];
  const unsettled = daily.filter((one) => one.day > settled && one.day <= day);
  forwardArms(memory.counts(day, target, unsettled), {
    target: Math.max(target.variance, turnover),
    current: Math.max(current.variance, turnover),
  });
  mixAndVolume(counts, day);
  return memory.save();
}

function companyDay(cpu: CpuClock): number {
  const channels = [keptChannel(93), keptChannel(94)];
  const week = median(cpu, () => {
    for (const channel of channels) {
      let { saved } = channel;
      for (let day = KNOWN_DAYS; day < KNOWN_DAYS + WEEK; day++) saved = looksAndMemory(channel, saved, day);
    }
  });
  return week / WEEK;
}

/** Processor time of a company's day, from counts. */
export function verifyCost(cpu: CpuClock): Check[] {
  return [
    atMost('cost', 'CPU ms of a daily inference: 12 arms, 51 codes (median)', armsAndEvidence(cpu), 25),
    atMost(
      'cost',
      'CPU ms of the looks and the memory of a day: 2 channels of 250 sends, 12 arms (median)',
      companyDay(cpu),
      25,
    ),
  ];
}
