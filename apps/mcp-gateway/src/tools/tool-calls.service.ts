import { Inject, Injectable } from '@nestjs/common';
import { AppError, errorBodyOf } from '@outcomes/contracts';
import { keyAlerts, Limiter, PacedRefusals, type Consumption, type LimitSubject } from '@outcomes/limits';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import { Answers } from '@outcomes/read-model';
import type { RpcFault } from '../json-rpc.protocol';
import type { RpcExchange, Refusal } from '../mcp/rpc-exchange.protocol';
import { ToolCallValidator, type Call, type ValidatedCall } from './tool-call-validator.service';
import { CallMetrics } from './call-metrics.service';
import { CallRecords } from './call-records.service';
import {
  failed,
  refusedArguments,
  refusedByHttp,
  resultJson,
  succeeded,
  type ToolOutcome,
} from './tool-outcome.protocol';

/** The way of every tools/call: judge, count, run, audit, answer. */
@Injectable()
export class ToolCalls {
  constructor(
    private readonly judge: ToolCallValidator,
    private readonly records: CallRecords,
    private readonly metrics: CallMetrics,
    @Inject(Answers) private readonly answers: Answers,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(PacedRefusals) private readonly refusals: PacedRefusals,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param refused - why the protocol refuses the call, whatever it asks; it is counted and recorded all the same
   * @returns the result of tools/call as JSON
   * @throws RpcFault `refused`, or for an unknown tool; what HTTP has to refuse (429, 503) is left in
   *   `exchange.refusal`
   */
  async answer(
    params: Readonly<Record<string, unknown>>,
    exchange: RpcExchange,
    refused?: RpcFault,
  ): Promise<string> {
    const call = await this.judge.judge(params, exchange.caller, refused);
    const subject = call.principal ?? exchange.caller.identity;
    const counted = await this.count(call, subject, exchange);
    const outcome = await this.recorded(call, await this.outcomeOf(call, counted), exchange);
    this.metrics.note(call, outcome, exchange.startedMs);
    const wasted = 'month' in counted && 'tool' in call.verdict && outcome.error !== null;
    if (wasted) await this.limiter.refundQuota(subject, counted.month);
    if (outcome.fault) throw outcome.fault;
    return resultJson(outcome);
  }

  private async count(
    { verdict, deniedTenant, unavailable }: Call,
    subject: LimitSubject,
    exchange: RpcExchange,
  ): Promise<Consumption | Refusal> {
    const { mayRead } = exchange.caller;
    // Whatever else is wrong with it: an attempt on another tenant leaves its row in the log of that tenant.
    const isAttempt = deniedTenant !== undefined;
    const countsQuota =
      isAttempt || (mayRead && ('tool' in verdict || verdict.error === 'permission_denied'));
    try {
      const usage = await this.limiter.consume(subject, { surface: 'read', countsQuota });
      exchange.http.setHeader('RateLimit-Limit', String(usage.limit));
      exchange.http.setHeader('RateLimit-Remaining', String(usage.remaining));
      exchange.http.setHeader('RateLimit-Reset', String(usage.resetSeconds));
      if (!mayRead) throw new AppError('Forbidden');
      if (unavailable) throw unavailable;
      return usage;
    } catch (error) {
      const refused =
        error instanceof AppError ? error : new AppError('INTERNAL_ERROR', {}, { cause: error });
      if (refused.status >= 500) this.logger.error({ err: error }, 'a call could not be taken');
      const body = errorBodyOf(refused, exchange.requestId, this.clock.now());
      if (refused.status === 429) {
        exchange.http.letGo();
        await this.refusals.turn(subject.scope?.companyId ?? subject.keyId);
      }
      exchange.refusal = { status: refused.status, headers: refused.headers, body };
      return exchange.refusal;
    }
  }

  private outcomeOf({ verdict }: Call, counted: Consumption | Refusal): Promise<ToolOutcome> | ToolOutcome {
    if ('body' in counted) return refusedByHttp(counted.body);
    return 'tool' in verdict ? this.run(verdict, counted) : verdict;
  }

  private async run({ tool, principal, given }: ValidatedCall, usage: Consumption): Promise<ToolOutcome> {
    try {
      const document = await tool.run(this.answers, principal.scope, given);
      return succeeded(document, keyAlerts(principal, usage, this.clock.now()));
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_PARAMETER') {
        const fault = { field: String(error.fields.parameter), message: error.message };
        return refusedArguments(fault, principal.companyId, this.clock.now());
      }
      this.logger.error({ err: error, tool: tool.definition.name }, 'a tool failed');
      return failed('internal_error', principal.companyId, this.clock.now());
    }
  }

  /** A call whose row cannot be written is answered without data. */
  private async recorded(call: Call, outcome: ToolOutcome, exchange: RpcExchange): Promise<ToolOutcome> {
    try {
      await this.records.write(call, outcome, exchange);
      return outcome;
    } catch (error) {
      this.logger.error({ err: error }, 'a call could not be audited');
      return exchange.refusal
        ? outcome
        : failed('internal_error', call.principal?.companyId ?? '', this.clock.now());
    }
  }
}
