import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { IngestionMetrics } from '@outcomes/ingestion';
import { SERVICE_CONFIG } from '@outcomes/platform';
import type { Request, Response } from 'express';
import type { IngestApiConfig } from '../ingest-api.config';

const RETRY_AFTER_SECONDS = '1';

/** Bounds the memory that bodies take together, from the first byte read to the answer. */
@Injectable()
export class BodyBudget {
  private held = 0;

  constructor(
    @Inject(SERVICE_CONFIG) private readonly config: IngestApiConfig,
    @Inject(IngestionMetrics) private readonly metrics: IngestionMetrics,
  ) {
    metrics.gauge('body_bytes', 'Bytes set aside for the bodies of requests in work.', () => this.held);
  }

  /**
   * Sets bytes aside for a request until its answer is out.
   * @param limit - most that the body may have, for one that does not say how much it has
   * @throws AppError SERVICE_UNAVAILABLE where too much is held already
   */
  reserve(request: Request, response: Response, limit: number): void {
    const bytes = request.headers['content-encoding'] ? limit : announcedBytes(request, limit);
    if (this.held + bytes > this.config.MAX_HELD_BODY_BYTES) {
      this.metrics.refused('bodies');
      throw new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
    }
    this.held += bytes;
    response.once('close', () => {
      this.held -= bytes;
    });
  }
}

function announcedBytes(request: Request, limit: number): number {
  const announced = Number(request.headers['content-length'] ?? limit);
  return Number.isSafeInteger(announced) && announced >= 0 ? Math.min(announced, limit) : limit;
}
