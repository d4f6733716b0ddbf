import { Inject, Injectable } from '@nestjs/common';
import { mayCall, type Principal } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { GivenArguments } from '@outcomes/read-model';
import type { McpCaller } from '../access/mcp-caller.protocol';
import { TenantChoice, type Choice } from '../access/tenant-choice.service';
import { isObject, type RpcFault } from '../json-rpc.protocol';
import { TENANT_ID, type Tool, type ToolFault } from './question.tool';
import {
  failed,
  refusedArguments,
  refusedByProtocol,
  refusedTool,
  refusedUnknownTool,
  type ToolOutcome,
} from './tool-outcome.protocol';
import { TOOLS } from './tools.catalogue';

const BY_NAME: ReadonlyMap<unknown, Tool> = new Map(TOOLS.map((tool) => [tool.definition.name, tool]));
/** In audit rows; the name that was sent is the caller's text, and there is no end of such names. */
const UNKNOWN_TOOL = 'unknown_tool';
const MAX_TENANT_CHARACTERS = 128;

/** A call that may be run. */
export interface ValidatedCall {
  readonly tool: Tool;
  readonly principal: Principal;
  readonly given: GivenArguments;
}

/** What a call asks for, by and for whom, and either the order or why there is none. */
export interface Call {
  readonly toolName: string;
  /** params.arguments as sent. */
  readonly given: unknown;
  readonly principal: Principal | undefined;
  /** A tenant that was asked for and refused. */
  readonly deniedTenant: string | undefined;
  /** Why nobody can tell now whether the credential serves the tenant that was asked for. */
  readonly unavailable?: AppError;
  readonly verdict: ValidatedCall | ToolOutcome;
}

/** Decides whether a call may be run, before anything is counted or read. */
@Injectable()
export class ToolCallValidator {
  constructor(
    private readonly tenants: TenantChoice,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param refused - why the protocol refuses the call, whatever it asks */
  async judge(
    params: Readonly<Record<string, unknown>>,
    caller: McpCaller,
    refused?: RpcFault,
  ): Promise<Call> {
    const given = 'arguments' in params ? params.arguments : {};
    const tool = BY_NAME.get(params.name);
    const toolName = tool?.definition.name ?? UNKNOWN_TOOL;
    const named = namedTenant(given);
    const chosen = this.tenants.choose(caller, named);
    const choice = chosen instanceof Promise ? await chosen.catch(faultOfOurs) : chosen;
    if (choice instanceof AppError) {
      const verdict = failed('internal_error', '', this.clock.now());
      return { toolName, given, principal: undefined, deniedTenant: undefined, unavailable: choice, verdict };
    }
    const { principal = caller.home, denied } = choice;
    // An attempt on another tenant is one, however badly it is written.
    const deniedTenant = tool && denied ? named : undefined;
    const verdict = refused
      ? refusedByProtocol(refused, deniedTenant === undefined ? 'invalid_arguments' : 'permission_denied')
      : this.verdict(tool, given, caller, { principal, denied });
    return { toolName, given, principal, deniedTenant, verdict };
  }

  private verdict(
    tool: Tool | undefined,
    given: unknown,
    { identity }: McpCaller,
    { principal, denied }: Choice,
  ): ValidatedCall | ToolOutcome {
    if (!tool) return refusedUnknownTool();
    const tenantId = principal?.companyId ?? '';
    const now = this.clock.now();
    // Before the other arguments, which would otherwise be what the call is refused for.
    if (denied) return failed('permission_denied', tenantId, now);
    if (!mayCall(identity, tool.definition.name)) return refusedTool(tenantId, now);
    const refused = (fault: ToolFault) => refusedArguments(fault, tenantId, now);
    if (!isObject(given)) return refused({ field: 'arguments', message: 'arguments must be an object.' });
    const told = withoutNulls(given);
    const fault = tool.check(told);
    if (fault) return refused(fault);
    if (principal) return { tool, principal, given: told };
    const message = 'tenant_id is required: this credential serves several tenants.';
    return refused({ field: 'tenant_id', message, expected: TENANT_ID });
  }
}

/** Such a call is counted and recorded all the same. @throws error where it is none of the catalogue's */
function faultOfOurs(error: unknown): AppError {
  if (error instanceof AppError && error.status >= 500) return error;
  throw error;
}

/** Models that must name every argument send null for one that is absent. */
function withoutNulls(given: GivenArguments): GivenArguments {
  if (!Object.values(given).includes(null)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** The tenant_id argument where it could be one; what else it may be is for the check of the arguments. */
function namedTenant(given: unknown): string | undefined {
  const named = isObject(given) ? given.tenant_id : undefined;
  if (typeof named !== 'string' || named.length < 1) return undefined;
  return [...named].length <= MAX_TENANT_CHARACTERS ? named : undefined;
}
