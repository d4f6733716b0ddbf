import { randomUUID } from 'node:crypto';
import { createLogger, systemClock } from '@outcomes/platform';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { waitUntil } from '@outcomes/testing';
import { AuditSealing, AuditVerification, type AuditVerdict, type SealHorizon } from '../src';
import { auditEntry, auditFixture, type AuditFixture } from './audit-fixture';

/** Other suites' transactions on the same server hold horizons back too. */
const SETTLE_TIMEOUT_MS = 25_000;

/** A log with its writer, sealers as several workers have them, and the administrators' verification. */
export class SealedLog {
  private constructor(
    readonly fixture: AuditFixture,
    readonly sealers: readonly AuditSealing[],
    private readonly verification: AuditVerification,
  ) {}

  static async create(): Promise<SealedLog> {
    return SealedLog.on(await auditFixture());
  }

  /** With connections of its own. */
  static async on(fixture: AuditFixture): Promise<SealedLog> {
    const sealers = [];
    for (let n = 0; n < 2; n += 1) {
      const database = await fixture.databaseAs('outcomes_worker');
      sealers.push(new AuditSealing(database, systemClock, createLogger('audit-test', 'silent')));
    }
    const verification = new AuditVerification(await fixture.databaseAs('outcomes_admin'));
    return new SealedLog(fixture, sealers, verification);
  }

  get sealer(): AuditSealing {
    return this.sealers[0] as AuditSealing;
  }

  /** Writes as the gateway does. */
  async write(companyId: string, rows: number): Promise<void> {
    await Promise.all(
      Array.from({ length: rows }, (_, n) =>
        this.fixture.writer.record(
          auditEntry({ companyId, latencyMs: n + 0.1, actor: { type: 'agent', id: `é-${n}` } }),
        ),
      ),
    );
  }

  async horizon(): Promise<SealHorizon> {
    const note = await this.sealer.note();
    return waitUntil('older transactions to end', () => this.sealer.settle(note), SETTLE_TIMEOUT_MS);
  }

  async seal(companyId: string): Promise<void> {
    await this.sealer.seal(mintTenantScope(companyId), await this.horizon());
  }

  /** A new company with that many rows, sealed in two goes. */
  async sealedCompany(rows: number): Promise<string> {
    const companyId = randomUUID();
    const first = Math.ceil(rows / 2);
    await this.write(companyId, first);
    await this.seal(companyId);
    await this.write(companyId, rows - first);
    await this.seal(companyId);
    return companyId;
  }

  verify(companyId: string, head?: string): Promise<AuditVerdict> {
    return this.verification.verify(mintTenantScope(companyId), head);
  }

  /** One statement as the owner of the database, with the company as $1. */
  async tamper(companyId: string, ...statements: string[]): Promise<void> {
    for (const statement of statements) {
      await this.fixture.database.query(statement, statement.includes('$1') ? [companyId] : []);
    }
  }
}
