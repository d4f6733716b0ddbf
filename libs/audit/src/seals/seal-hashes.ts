import { createHash } from 'node:crypto';
import { sha256OfJson } from '../canonical/canonical-json';

/** Everything an audit row holds, as text that no setting of a session changes: numbers and times exact, bytes in hex. */
export interface SealedRow {
  readonly company_id: string;
  readonly entry_id: string;
  readonly sequence: string;
  /** Microseconds since 2000 as a signed 64-bit number, its eight bytes in hex. */
  readonly occurred_at: string;
  readonly requested_company_id: string | null;
  readonly key_id: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly tool: string;
  readonly status: string;
  readonly error_type: string | null;
  /** The four bytes of the 32-bit float, in hex. */
  readonly latency_ms: string;
  readonly input_sha256: string;
  readonly output_sha256: string | null;
  readonly request_id: string;
}

/** What a seal says, before its own hash. */
export interface SealContent {
  readonly companyId: string;
  /** 1, 2, 3, … per company. */
  readonly sealNo: number;
  /** Sequence of the first and the last row. The seal speaks for all rows between the seal before and `toSequence`. */
  readonly fromSequence: number;
  readonly toSequence: number;
  readonly rowCount: number;
  readonly sealedAt: Date;
  readonly rootSha256: Buffer;
  /** Hash of the seal before; 32 zero bytes for the first. */
  readonly previousSha256: Buffer;
}

export interface Seal extends SealContent {
  readonly sealSha256: Buffer;
}

/** What the first seal names as the one before it. */
export const NO_SEAL = Buffer.alloc(32);

/** SHA-256 over the concatenated hashes of rows, taken one at a time: order, number and content all count. */
export class RootHash {
  private readonly hash = createHash('sha256');
  private taken = 0;

  get rowCount(): number {
    return this.taken;
  }

  add(row: SealedRow): void {
    this.hash.update(sha256OfJson(row));
    this.taken += 1;
  }

  /** 32 bytes; once. */
  digest(): Buffer {
    return this.hash.digest();
  }
}

/** SHA-256 of a seal's canonical JSON, 32 bytes. Each seal holds the one before it, so the last vouches for all. */
export function sealSha256(seal: SealContent): Buffer {
  return sha256OfJson({
    companyId: seal.companyId,
    sealNo: seal.sealNo,
    fromSequence: seal.fromSequence,
    toSequence: seal.toSequence,
    rowCount: seal.rowCount,
    sealedAt: seal.sealedAt.getTime(),
    rootSha256: seal.rootSha256.toString('hex'),
    previousSha256: seal.previousSha256.toString('hex'),
  });
}
