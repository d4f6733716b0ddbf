import { createHash } from 'node:crypto';
import { CHANNELS, LEVELS, MATURITY_DAYS } from '@outcomes/contracts';
import { NumberReader, NumberWriter } from '@outcomes/persistence';
import type { CompanionPair, CompanionStratum } from '@outcomes/statistics';
import { EVIDENCE_DESIGN } from './evidence-design';

/** Changes with the form of what is kept, and with the way in which it is counted. */
const FORM = 1;

/** What strata are counted by today; they are counts, and stay where what is made of them changes. */
export const STRATA_MAKE = createHash('sha256')
  .update(JSON.stringify([FORM, LEVELS, CHANNELS, MATURITY_DAYS, EVIDENCE_DESIGN]))
  .digest('hex')
  .slice(0, 32);

export type Stratum = Omit<CompanionStratum, 'campaign'>;

/** The strata of a pair of claims inside one campaign. */
export interface PairStrata extends CompanionPair {
  readonly strata: readonly Stratum[];
}

export const isSamePair = (a: CompanionPair, b: CompanionPair): boolean =>
  a.code === b.code && a.within === b.within;

/** The same strata give the same bytes, whatever order they were counted in. */
export function packStrata(pairs: readonly PairStrata[]): Buffer {
  const writer = new NumberWriter(256);
  const sorted = [...pairs].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  writer.count(sorted.length);
  for (const { code, within, strata } of sorted) {
    writer.bytes(Buffer.from(code));
    writer.bytes(Buffer.from(within));
    writer.count(strata.length);
    for (const { fortnight, na, ya, nb, yb } of [...strata].sort(inOrder)) {
      writer.signed(fortnight);
      for (const count of [na, ya, nb, yb]) writer.count(count);
    }
  }
  return Buffer.from(writer.finish());
}

export function unpackStrata(bytes: Buffer): PairStrata[] {
  const reader = new NumberReader(bytes);
  return Array.from({ length: reader.count() }, () => {
    const [code, within] = [reader.bytes().toString(), reader.bytes().toString()];
    const strata = Array.from({ length: reader.count() }, () => {
      const fortnight = reader.signed();
      const [na, ya, nb, yb] = [reader.count(), reader.count(), reader.count(), reader.count()];
      return { fortnight, na, ya, nb, yb };
    });
    return { code, within, strata };
  });
}

const nameOf = ({ code, within }: CompanionPair): string => `${code} ${within}`;

function inOrder(a: Stratum, b: Stratum): number {
  return a.fortnight - b.fortnight || a.na - b.na || a.ya - b.ya || a.nb - b.nb || a.yb - b.yb;
}
