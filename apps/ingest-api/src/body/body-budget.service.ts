import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { IngestionMetrics } from '@outcomes/ingestion';
import { SERVICE_CONFIG } from '@outcomes/platform';
import type { IngestApiConfig } from '../ingest-api.config';

const RETRY_AFTER_SECONDS = '1';

/** No company may hold more than this part of all: its slow uploads are its own trouble. */
const COMPANY_SHARE = 1 / 2;

/** Bounds the memory that bodies take together, and those of one company, from the first byte read to the answer. */
@Injectable()
export class BodyBudget {
  private held = 0;
  private readonly heldByCompany = new Map<string, number>();

  constructor(
    @Inject(SERVICE_CONFIG) private readonly config: IngestApiConfig,
    @Inject(IngestionMetrics) private readonly metrics: IngestionMetrics,
  ) {
    metrics.gauge('body_bytes', 'Bytes set aside for the bodies of requests in work.', () => this.held);
  }

  /**
   * Sets bytes aside for a request until its answer is out.
   * @param companyId - whose body it is
   * @param limit - most that the body may have, for one that does not say how much it has
   * @throws AppError SERVICE_UNAVAILABLE where too much is held already; INVALID_REQUEST where nobody waits any more
   */
  reserve(companyId: string, request: IncomingMessage, response: ServerResponse, limit: number): void {
    // Hung up while the key was looked at: its end was told before anybody could hear it.
    if (request.destroyed) throw new AppError('INVALID_REQUEST');
    const bytes = request.headers['content-encoding'] ? limit : announcedBytes(request, limit);
    const ofCompany = this.heldByCompany.get(companyId) ?? 0;
    // One body at least, however small the bound is.
    const share = Math.max(limit, this.config.MAX_HELD_BODY_BYTES * COMPANY_SHARE);
    if (this.held + bytes > this.config.MAX_HELD_BODY_BYTES || ofCompany + bytes > share) {
      this.metrics.refused('bodies');
      throw new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
    }
    this.hold(companyId, bytes);
    response.once('close', () => this.hold(companyId, -bytes));
  }

  private hold(companyId: string, bytes: number): void {
    this.held += bytes;
    const ofCompany = (this.heldByCompany.get(companyId) ?? 0) + bytes;
    if (ofCompany === 0) this.heldByCompany.delete(companyId);
    else this.heldByCompany.set(companyId, ofCompany);
  }
}

function announcedBytes(request: IncomingMessage, limit: number): number {
  const announced = Number(request.headers['content-length'] ?? limit);
  return Number.isSafeInteger(announced) && announced >= 0 ? Math.min(announced, limit) : limit;
}
