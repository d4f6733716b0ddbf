import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { NO_SEAL, RootHash, sealSha256, type Seal } from './seal-hashes';
import {
  BEGINNING,
  behind,
  countsOf,
  placeOf,
  rowsBetween,
  sealsBehind,
  type RowPlace,
} from './seal.repository';

/** Rows and seals in memory at a time. */
const PAGE = 1_000;

export type AuditFaultKind =
  'seal_missing' | 'seal_changed' | 'rows_missing' | 'rows_added' | 'rows_changed' | 'head_missing';

/** The first place where the log is not what was sealed. */
export interface AuditFault {
  readonly kind: AuditFaultKind;
  /** The seal that no longer fits; null where it is the expected head that is gone. */
  readonly sealNo: number | null;
  /** Sequences of the rows that the seal speaks for; null with a missing seal or head. */
  readonly fromSequence: number | null;
  readonly toSequence: number | null;
  /** One sentence for people. */
  readonly message: string;
}

export interface AuditVerdict {
  /** Rows of the company, the unsealed newest ones included. */
  readonly rows: number;
  readonly seals: number;
  /** Rows that no seal covers yet: whether they are as they were written, nobody can tell. */
  readonly unsealed: number;
  /** Whether what is sealed is as it was sealed. */
  readonly intact: boolean;
  readonly firstFault: AuditFault | null;
  /** Hash of the newest seal, hex; null where there is none. Keep it elsewhere and ask for it next time. */
  readonly head: string | null;
}

/** Holds the audit log of a company against its seals. Reads page by page, so any length takes the same memory. */
@Injectable()
export class AuditVerification {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * @param expectedHead - hash of a seal as noted earlier outside the database, hex: it must still be in the chain
   */
  async verify(scope: TenantScope, expectedHead?: string): Promise<AuditVerdict> {
    return this.database.transaction(scope, async (transaction) => {
      const { fault, head } = await walk(transaction, expectedHead?.toLowerCase());
      const counts = await countsOf(transaction);
      return { ...counts, intact: fault === undefined, firstFault: fault ?? null, head };
    });
  }
}

async function walk(
  transaction: TenantTransaction,
  expectedHead: string | undefined,
): Promise<{ fault?: AuditFault; head: string | null }> {
  let last: Seal | undefined;
  let expected = expectedHead;
  for (;;) {
    const seals = await sealsBehind(transaction, last?.sealNo ?? 0, PAGE);
    for (const seal of seals) {
      const fault = faultOfSeal(seal, last) ?? (await faultOfRows(transaction, seal, last));
      if (fault !== undefined) return { fault, head: last?.sealSha256.toString('hex') ?? null };
      last = seal;
      if (seal.sealSha256.toString('hex') === expected) expected = undefined;
    }
    if (seals.length < PAGE) break;
  }
  const head = last?.sealSha256.toString('hex') ?? null;
  return expected === undefined ? { head } : { fault: HEAD_MISSING, head };
}

function faultOfSeal(seal: Seal, last: Seal | undefined): AuditFault | undefined {
  const due = (last?.sealNo ?? 0) + 1;
  if (seal.sealNo !== due) {
    return {
      kind: 'seal_missing',
      sealNo: due,
      fromSequence: null,
      toSequence: null,
      message: `Seal ${due} is missing, although seal ${seal.sealNo} follows it.`,
    };
  }
  const fits =
    sealSha256(seal).equals(seal.sealSha256) && seal.previousSha256.equals(last?.sealSha256 ?? NO_SEAL);
  return fits ? undefined : faultAt(seal, 'seal_changed', `Seal ${seal.sealNo} itself was changed.`);
}

async function faultOfRows(
  transaction: TenantTransaction,
  seal: Seal,
  last: Seal | undefined,
): Promise<AuditFault | undefined> {
  const root = new RootHash();
  let place: RowPlace = last ? behind(last.toSequence) : BEGINNING;
  for (;;) {
    const rows = await rowsBetween(transaction, place, seal.toSequence, PAGE);
    for (const row of rows) root.add(row);
    const final = rows.at(-1);
    if (final === undefined || rows.length < PAGE) break;
    place = placeOf(final);
  }
  const under = `under seal ${seal.sealNo} (sequences ${seal.fromSequence} to ${seal.toSequence})`;
  const found = root.rowCount;
  if (found < seal.rowCount) {
    const missing = `${seal.rowCount - found} of ${seal.rowCount} rows ${under} are missing.`;
    return faultAt(seal, 'rows_missing', missing);
  }
  if (found > seal.rowCount) {
    return faultAt(
      seal,
      'rows_added',
      `${found - seal.rowCount} rows ${under} were not there when it was made.`,
    );
  }
  if (root.digest().equals(seal.rootSha256)) return undefined;
  return faultAt(seal, 'rows_changed', `The ${found} rows ${under} were changed or put in another order.`);
}

function faultAt(seal: Seal, kind: AuditFaultKind, message: string): AuditFault {
  const { sealNo, fromSequence, toSequence } = seal;
  return { kind, sealNo, fromSequence, toSequence, message };
}

const HEAD_MISSING: AuditFault = {
  kind: 'head_missing',
  sealNo: null,
  fromSequence: null,
  toSequence: null,
  message: 'The chain of seals does not hold the expected head: seals were removed or made anew.',
};
