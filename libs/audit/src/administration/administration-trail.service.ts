import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { NO_SEAL } from '../seals/seal-hashes';
import { entriesOf, sealOf } from './administration-log.repository';
import type { RecordedEntry } from './administrative-entry';

/** Entries in memory at a time. */
const PAGE = 1_000;
/** Above every number that an entry can have. */
const NEWEST = 2_147_483_647;

/** The first place where the log is not as it was written. */
export interface AdministrationFault {
  readonly kind: 'entry_missing' | 'entry_changed' | 'head_missing';
  /** Number of the entry; null where it is the expected head that is gone. */
  readonly entryNo: number | null;
  /** One sentence for people. */
  readonly message: string;
}

export interface AdministrationVerdict {
  readonly entries: number;
  readonly intact: boolean;
  readonly firstFault: AdministrationFault | null;
  /** Seal of the newest entry, hex; null where there is none. Keep it elsewhere and ask for it next time. */
  readonly head: string | null;
}

/** What administrators did to a company: shown, and held against its seals. */
@Injectable()
export class AdministrationTrail {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * The newest entries first.
   * @param before - number of an entry: only what is older
   */
  async list(
    scope: TenantScope,
    { limit, before = NEWEST }: { readonly limit: number; readonly before?: number },
  ): Promise<RecordedEntry[]> {
    return this.database.transaction(scope, (transaction) => entriesOf(transaction, { before }, limit));
  }

  /**
   * Reads page by page, so any length takes the same memory.
   * @param expectedHead - seal of an entry as noted earlier outside the database, hex: it must still be there
   */
  async verify(scope: TenantScope, expectedHead?: string): Promise<AdministrationVerdict> {
    return this.database.snapshot(scope, (transaction) => walk(transaction, expectedHead?.toLowerCase()));
  }
}

async function walk(
  transaction: TenantTransaction,
  expectedHead: string | undefined,
): Promise<AdministrationVerdict> {
  let last: RecordedEntry | undefined;
  let expected = expectedHead;
  const verdict = (firstFault: AdministrationFault | null): AdministrationVerdict => ({
    entries: last?.entryNo ?? 0,
    intact: firstFault === null,
    firstFault,
    head: last?.sealSha256.toString('hex') ?? null,
  });
  for (;;) {
    const entries = await entriesOf(transaction, { behind: last?.entryNo ?? 0 }, PAGE);
    for (const entry of entries) {
      const fault = faultOf(entry, last);
      if (fault) return verdict(fault);
      last = entry;
      if (entry.sealSha256.toString('hex') === expected) expected = undefined;
    }
    if (entries.length < PAGE) return verdict(expected === undefined ? null : HEAD_MISSING);
  }
}

function faultOf(entry: RecordedEntry, last: RecordedEntry | undefined): AdministrationFault | undefined {
  const due = (last?.entryNo ?? 0) + 1;
  if (entry.entryNo !== due) {
    const message = `Entry ${due} is missing, although entry ${entry.entryNo} follows it.`;
    return { kind: 'entry_missing', entryNo: due, message };
  }
  const fits =
    entry.previousSha256.equals(last?.sealSha256 ?? NO_SEAL) && sealOf(entry).equals(entry.sealSha256);
  if (fits) return undefined;
  return {
    kind: 'entry_changed',
    entryNo: due,
    message: `Entry ${due} is not what was written: it, or an older one, was changed.`,
  };
}

const HEAD_MISSING: AdministrationFault = {
  kind: 'head_missing',
  entryNo: null,
  message: 'No entry has the expected seal: the newest ones were removed, or all were made anew.',
};
