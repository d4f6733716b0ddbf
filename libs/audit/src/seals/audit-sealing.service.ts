import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { NO_SEAL, RootHash, sealSha256, type Seal, type SealedRow } from './seal-hashes';
import { countCalls, ROWS_PER_COUNT } from './call-counts.repository';
import { companiesBetween, hasSettled, noteHorizon, type HorizonNote } from './horizon.repository';
import { BEGINNING, behind, insertSeal, lastSeal, rowsBetween, takeSealersTurn } from './seal.repository';

/** Rows of one seal at most: what a fault can be narrowed down to, and what is in memory at a time. */
const ROWS_PER_SEAL = 1_000;

/** A place in the log before which no row can appear any more. */
export interface SealHorizon {
  readonly sequence: number;
}

export interface Sealed {
  readonly rows: number;
  readonly seals: number;
}

/**
 * Seals the audit log behind the backs of those who write it. Sequences are drawn before rows commit, so a row may
 * appear between two that are visible already. Therefore a horizon is noted first and used later (a minute, say):
 * by then every transaction that was under way at the note must have ended, which Postgres is asked.
 */
@Injectable()
export class AuditSealing {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Notes where the log stands now. */
  async note(): Promise<HorizonNote> {
    return noteHorizon(this.database);
  }

  /** @returns the noted place as a horizon, or undefined while a transaction from before the note is under way */
  async settle(note: HorizonNote): Promise<SealHorizon | undefined> {
    return (await hasSettled(this.database, note)) ? { sequence: note.sequence } : undefined;
  }

  /** Companies with rows behind one place and up to another. */
  async companiesBetween(after: SealHorizon, to: SealHorizon): Promise<string[]> {
    return companiesBetween(this.database, after.sequence, to.sequence);
  }

  /**
   * Seals a company's rows up to a horizon, in seals of at most a thousand, and adds them to its counts of calls.
   * Repeating it, also by many at once, seals and counts nothing twice.
   * @param signal - ends it after the seal under way; the rest is sealed another time
   */
  async seal(scope: TenantScope, horizon: SealHorizon, signal?: AbortSignal): Promise<Sealed> {
    let sealed: Sealed = { rows: 0, seals: 0 };
    let last: Seal | undefined;
    while (signal?.aborted !== true) {
      const next = await this.database.transaction(scope, (transaction) =>
        this.sealNext(transaction, horizon),
      );
      if (next === undefined) break;
      sealed = { rows: sealed.rows + next.rowCount, seals: sealed.seals + 1 };
      last = next;
      if (next.rowCount < ROWS_PER_SEAL) break;
    }
    if (last !== undefined) {
      // Kept away from the database, this line proves a later rewriting of the rows and of all seals.
      const { companyId, sealNo } = last;
      this.logger.info({ companyId, sealNo, head: last.sealSha256.toString('hex') }, 'audit rows sealed');
    }
    await this.count(scope, horizon, signal);
    return sealed;
  }

  /** Counts what is below the horizon and not counted yet: at first also what was sealed before there were counts. */
  private async count(scope: TenantScope, horizon: SealHorizon, signal?: AbortSignal): Promise<void> {
    let counted = ROWS_PER_COUNT;
    while (counted === ROWS_PER_COUNT && signal?.aborted !== true) {
      counted = await this.database.transaction(scope, async (transaction) => {
        await takeSealersTurn(transaction);
        return countCalls(transaction, horizon.sequence);
      });
    }
  }

  private async sealNext(transaction: TenantTransaction, horizon: SealHorizon): Promise<Seal | undefined> {
    await takeSealersTurn(transaction);
    const last = await lastSeal(transaction);
    const rows = await rowsBetween(
      transaction,
      last ? behind(last.toSequence) : BEGINNING,
      horizon.sequence,
      ROWS_PER_SEAL,
    );
    const seal = sealOver(transaction.companyId, rows, last, this.clock.now());
    if (seal !== undefined) await insertSeal(transaction, seal);
    return seal;
  }
}

function sealOver(
  companyId: string,
  rows: readonly SealedRow[],
  last: Seal | undefined,
  sealedAt: Date,
): Seal | undefined {
  const [first, final] = [rows[0], rows.at(-1)];
  if (first === undefined || final === undefined) return undefined;
  const root = new RootHash();
  for (const row of rows) root.add(row);
  const content = {
    companyId,
    sealNo: (last?.sealNo ?? 0) + 1,
    fromSequence: Number(first.sequence),
    toSequence: Number(final.sequence),
    rowCount: root.rowCount,
    sealedAt,
    rootSha256: root.digest(),
    previousSha256: last?.sealSha256 ?? NO_SEAL,
  };
  return { ...content, sealSha256: sealSha256(content) };
}
