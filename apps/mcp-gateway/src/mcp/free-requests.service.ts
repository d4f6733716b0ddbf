import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { Limiter, PacedRefusals, subjectNameOf } from '@outcomes/limits';
import { CLOCK, type Clock, type Exchange } from '@outcomes/platform';
import type { McpCaller } from '../access/mcp-caller.protocol';

/** Windows whose refusal is remembered; beyond, all are forgotten at once. */
const MAX_WINDOWS = 10_000;

/** Whose window a request is counted in: a credential of several tenants has one for each. */
type Counted = Pick<McpCaller, 'home' | 'identity'>;

/**
 * Counts what is no call of a tool. It says nothing of its window until there is none left: clients would take it for
 * that of calls.
 */
@Injectable()
export class FreeRequests {
  /** By the limiter's name of a window, until when it has nothing left, as far as this pod knows. */
  private readonly exhausted = new Map<
    string,
    { readonly untilMs: number; readonly headers: AppError['headers'] }
  >();

  constructor(
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(PacedRefusals) private readonly refusals: PacedRefusals,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError RATE_LIMITED */
  async count(exchange: Exchange, caller: Counted): Promise<void> {
    const { home, identity } = caller;
    const refusal = this.refusalOf(caller);
    if (refusal) return this.refusals.refuse(exchange, home?.companyId ?? identity.keyId, refusal);
    try {
      await this.limiter.consume(home ?? identity, { surface: 'protocol', countsQuota: false });
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') this.remember(caller, error);
      throw error;
    }
  }

  /** What a caller is refused with in this window, where it was before. Counts nothing, and waits for nothing. */
  refusalOf(caller: Counted): AppError | undefined {
    const known = this.exhausted.get(windowOf(caller));
    const leftMs = known ? known.untilMs - this.clock.now().getTime() : 0;
    if (!known || leftMs <= 0) return undefined;
    const seconds = String(Math.ceil(leftMs / 1_000));
    const headers = { ...known.headers, 'RateLimit-Reset': seconds, 'Retry-After': seconds };
    return new AppError('RATE_LIMITED', {}, { headers });
  }

  private remember(caller: Counted, { headers }: AppError): void {
    if (this.exhausted.size >= MAX_WINDOWS) this.exhausted.clear();
    const untilMs = this.clock.now().getTime() + Number(headers['Retry-After']) * 1_000;
    this.exhausted.set(windowOf(caller), { untilMs, headers });
  }
}

function windowOf({ home, identity }: Counted): string {
  return subjectNameOf(home ?? identity);
}
