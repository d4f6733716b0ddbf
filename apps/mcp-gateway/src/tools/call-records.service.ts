import { Inject, Injectable } from '@nestjs/common';
import { AuditWriter, canonicalJson, sha256OfText } from '@outcomes/audit';
import type { Actor } from '@outcomes/contracts';
import type { McpCaller } from '../access/mcp-caller.protocol';
import { isObject } from '../json-rpc.protocol';
import type { RpcExchange } from '../mcp/rpc-exchange.protocol';
import type { Call } from './tool-call-validator.service';
import type { ToolOutcome } from './tool-outcome.protocol';

/** Whose log keeps a call for no tenant: one of a multi-tenant credential that named none, or none it may read. */
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const NO_ARGUMENTS = sha256OfText('{}');

/** What is kept of a call, whatever it was of. */
export type RecordedCall = Pick<Call, 'toolName' | 'given' | 'principal' | 'deniedTenant'>;

/** Turns calls into audit rows. */
@Injectable()
export class CallRecords {
  constructor(@Inject(AuditWriter) private readonly audit: AuditWriter) {}

  /** Resolves once the row is committed. @throws AppError where it cannot be */
  async write(call: RecordedCall, outcome: ToolOutcome, exchange: RpcExchange): Promise<void> {
    const { caller, requestId, arrivedAt, startedMs } = exchange;
    const { toolName, given, principal, deniedTenant } = call;
    await this.audit.record({
      companyId: principal?.companyId ?? NO_COMPANY,
      // Attempts are counted. What the limiter refused or could not count has no end: in the log of the tenant that it
      // names, a stranger could write as many rows as it can send requests.
      requestedCompanyId: outcome.error === 'permission_denied' ? askedFor(deniedTenant) : null,
      keyId: caller.identity.keyId,
      actor: principal?.actor ?? claimedActor(caller),
      tool: toolName,
      errorType: outcome.error,
      latencyMs: performance.now() - startedMs,
      inputSha256: isEmpty(given) ? NO_ARGUMENTS : sha256OfText(canonicalJson(given)),
      outputSha256: sha256OfText(outcome.json),
      requestId,
      occurredAt: arrivedAt,
    });
  }
}

/** A tenant that does not exist reads nothing, so whether it does need not be known. */
function askedFor(tenant: string | undefined): string | null {
  return tenant !== undefined && UUID.test(tenant) ? tenant.toLowerCase() : null;
}

/** What most calls give. */
function isEmpty(given: unknown): boolean {
  return isObject(given) && Object.keys(given).length === 0;
}

/** The headers were judged when the caller was let in. */
function claimedActor({ identity, presented: { actorType, actorId } }: McpCaller): Actor {
  const id = actorId ?? identity.keyId;
  return actorType === 'agent' || actorType === 'user' || actorType === 'service'
    ? { type: actorType, id }
    : { type: 'api_key', id };
}
