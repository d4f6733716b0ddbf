import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ChannelCounts, Rng } from '@outcomes/statistics';
import { dayOf } from '../cohorts/days';

/** Counts of one send day, campaign and position. */
interface Cell {
  readonly campaign: number;
  readonly position: number;
  n: number;
  y: number;
}

/** Send days of a real history, each with its cells. */
export type SentDays = readonly { readonly day: number; readonly cells: readonly Cell[] }[];

/** event_id, channel, step, recipient, sent_at, outcome_at, outcome, position, ..., metadata with a campaign_id. */
const EVENT =
  /^[^,]*,[^,]*,\d+,[^,]*,(\d{4}-\d\d-\d\d)T[^,]*,[^,]*,(\w+),([^,]*),.*""campaign_id"": ?""([^"]+)""/;

/**
 * The field experiment of Cascino and others (doi 10.2308/TAR-2019-1030): 63,905 real e-mails of six campaigns, sent on
 * eight days.
 * @param file - its events as CSV, gzipped
 */
export function readSentDays(file: string): SentDays {
  const names = { campaign: [] as string[], position: [] as string[] };
  const indexOf = (kind: keyof typeof names, name: string): number => {
    const found = names[kind].indexOf(name);
    return found < 0 ? names[kind].push(name) - 1 : found;
  };
  const days = new Map<number, Map<string, Cell>>();
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
    const [, sentOn = '', outcome, position = '', campaign = ''] = EVENT.exec(line) ?? [];
    if (outcome === undefined) continue;
    const cells = days.get(dayOf(sentOn)) ?? new Map<string, Cell>();
    days.set(dayOf(sentOn), cells);
    const key = `${campaign} ${position}`;
    const cell = cells.get(key) ?? {
      campaign: 1 + indexOf('campaign', campaign),
      position: indexOf('position', position),
      n: 0,
      y: 0,
    };
    cells.set(key, cell);
    cell.n += 1;
    if (outcome === 'responded') cell.y += 1;
  }
  return [...days].sort(([a], [b]) => a - b).map(([day, cells]) => ({ day, cells: [...cells.values()] }));
}

/** The days in another order, over and over, one after the other. */
export function permuted(days: SentDays, length: number, rng: Rng): SentDays {
  const order: SentDays[number][] = [];
  while (order.length < length) {
    const left = [...days];
    while (left.length > 0) order.push(...left.splice(Math.floor(rng.next() * left.length), 1));
  }
  return order.slice(0, length).map(({ cells }, day) => ({ day, cells }));
}

/** The days, and the same again so many days later. */
export function repeatedAfter(days: SentDays, later: number): SentDays {
  const first = days[0]?.day ?? 0;
  const counted = days.map(({ day, cells }) => ({ day: day - first, cells }));
  return [...counted, ...counted.map(({ day, cells }) => ({ day: day + later, cells }))];
}

export function countsOf(days: SentDays): ChannelCounts {
  const rows = days.flatMap(({ day, cells }) => cells.map((cell) => ({ ...cell, day })));
  const column = (value: (row: (typeof rows)[number]) => number) => Int32Array.from(rows, value);
  return {
    size: rows.length,
    day: column(({ day }) => day),
    position: Uint8Array.from(rows, ({ position }) => position),
    step: new Uint8Array(rows.length),
    campaign: column(({ campaign }) => campaign),
    n: column(({ n }) => n),
    y: column(({ y }) => y),
  };
}
