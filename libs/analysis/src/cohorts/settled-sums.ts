import { createHash } from 'node:crypto';
import type { CohortTable } from './cohort-table';
import type { KnownWeek } from './history-source';
import { NumberReader, NumberWriter } from '@outcomes/persistence';
import { decodeDigest, encodeDigest, observedUntilOfDigest, type WeekDigest } from './week-digest';

/** All weeks up to a settled one, added up: while none of them changes, a run begins behind them. */
export interface SettledSums {
  readonly week: number;
  /** See `nameOfWeeks`. */
  readonly name: Buffer;
  readonly encoded: Buffer;
}

/** Names of the tests' state after weeks, see `linkOf`. */
export type Links = ReadonlyMap<number, Buffer>;

/** Another one after every change of the counts of any of these weeks, and where one comes or goes. */
export function nameOfWeeks(weeks: readonly KnownWeek[]): Buffer {
  const hash = createHash('sha256');
  for (const { week, revision } of weeks) hash.update(`${week} ${revision} `);
  return hash.digest();
}

/**
 * @param table - to which settled weeks were added and nothing else, in their order: sums of fractions depend on it
 * @param links - of weeks at which a checkpoint may stand, the last week among them
 */
export function encodeSums(table: CohortTable, links: Links): Buffer {
  const writer = new NumberWriter();
  writer.counts([...links.keys()]);
  for (const link of links.values()) writer.bytes(link);
  writer.bytes(encodeDigest(table.settledDigest([...links.values()].at(-1) ?? Buffer.alloc(0))));
  return writer.finish();
}

/** Sums as they were stored; they are decoded when they are asked for. */
export class StoredSums {
  readonly links: Links;
  readonly observedUntil: number;
  private readonly encoded: Buffer;

  constructor(
    readonly week: number,
    encoded: Buffer,
  ) {
    const reader = new NumberReader(encoded);
    this.links = new Map(
      Array.from(reader.counts(), (linked) => linked).map((linked) => [linked, reader.bytes()]),
    );
    this.encoded = reader.bytes();
    this.observedUntil = observedUntilOfDigest(this.encoded);
  }

  digest(): WeekDigest {
    return decodeDigest(this.encoded);
  }
}
