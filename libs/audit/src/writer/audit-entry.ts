import type { Actor } from '@outcomes/contracts';

/** One tool call, as its audit row keeps it: hashes and ids, never a value. */
export interface AuditEntry {
  /** The caller's company, or for a bootstrap credential the one it acted for. */
  readonly companyId: string;
  /** Another existing company that was asked for and refused; it may read the row too, without the key id. */
  readonly requestedCompanyId?: string | null;
  readonly keyId: string;
  readonly actor: Actor;
  readonly tool: string;
  /** Why the call failed; null where it succeeded. */
  readonly errorType: string | null;
  readonly latencyMs: number;
  /** SHA-256 of the canonical arguments as sent, 32 bytes. */
  readonly inputSha256: Buffer;
  /** SHA-256 of the canonical result or error document, 32 bytes; null where nothing was answered. */
  readonly outputSha256: Buffer | null;
  readonly requestId: string;
  /** When the call began. */
  readonly occurredAt: Date;
}
