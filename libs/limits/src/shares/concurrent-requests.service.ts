import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { Counter, Gauge, Management, SERVICE_CONFIG } from '@outcomes/platform';
import type { Exchange, ServiceConfig } from '@outcomes/platform';
import { RequestShares, type ShareRefusal } from './request-shares';

const RETRY_AFTER_SECONDS = '1';

/** Has each company hold no more of the requests under way than its share, from its admission until its answer is out. */
@Injectable()
export class ConcurrentRequests {
  private readonly shares: RequestShares;
  private readonly refusals: Counter<'reason'>;

  constructor(@Inject(SERVICE_CONFIG) config: ServiceConfig, @Inject(Management) { registry }: Management) {
    const shares = new RequestShares(config.MAX_CONCURRENT_REQUESTS);
    this.shares = shares;
    new Gauge({
      name: 'http_requests_under_way',
      help: 'Requests of proven callers that are being answered now.',
      registers: [registry],
      collect() {
        this.set(shares.size);
      },
    });
    this.refusals = new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests not begun: the share of their company is used up (share), or all there is (full).',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of ['share', 'full'] satisfies ShareRefusal[]) this.refusals.inc({ reason }, 0);
  }

  /**
   * Begins a request; it ends with the exchange.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  begin(exchange: Exchange, companyId: string): void {
    const held = this.shares.begin(companyId);
    if (typeof held !== 'string') exchange.hold(held);
    else throw this.refused(held);
  }

  private refused(reason: ShareRefusal): AppError {
    this.refusals.inc({ reason });
    const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
    if (reason === 'full') return new AppError('SERVICE_UNAVAILABLE', {}, { headers });
    const message =
      'Too many requests of this company are under way at once. Send more when these are answered.';
    return new AppError('SERVICE_UNAVAILABLE', {}, { message, headers });
  }
}
