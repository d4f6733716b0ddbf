import { Inject, Injectable } from '@nestjs/common';
import { RecentAttempts } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Deliveries, isProven, SourceDirectory, type DeliveryAnswer, type Source } from '@outcomes/ingestion';
import { Limiter, RequestBodies, Strangers } from '@outcomes/limits';
import { CLOCK, type Clock, type Exchange } from '@outcomes/platform';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_FAILURES = 5;
const WINDOW_SECONDS = 3_600;

/**
 * Lets deliveries of outreach tools in. A tool sets no key of ours: the address names the source, and the raw bytes are
 * proven by a signature or a secret. There is no window of requests and no quota, and no answer that has a tool give up for
 * good; who fails to prove is counted by address and source, never by address alone, because all customers of a tool
 * share its addresses. An address pays alone for ids that were never found, and what it has used up keeps no known source
 * out.
 */
@Injectable()
export class DeliveryReception {
  private readonly failures: RecentAttempts;

  constructor(
    @Inject(SourceDirectory) private readonly directory: SourceDirectory,
    @Inject(RequestBodies) private readonly bodies: RequestBodies,
    @Inject(Strangers) private readonly strangers: Strangers,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.failures = new RecentAttempts(MAX_FAILURES, WINDOW_SECONDS, clock);
  }

  /**
   * @param token - last part of the path, for tools that can carry a secret nowhere else
   * @throws AppError NOT_FOUND (unknown, revoked, malformed and of the other form alike), PAYLOAD_TOO_LARGE,
   * DELIVERY_NOT_PROVEN, TOO_MANY_FAILED_ATTEMPTS, INVALID_JSON, INVALID_REQUEST, SERVICE_UNAVAILABLE
   */
  async receive(exchange: Exchange, sourceId: string, token?: string): Promise<DeliveryAnswer> {
    const source = await this.find(exchange, sourceId);
    if (!source || (source.webhook.authentication === 'path') !== (token !== undefined))
      throw new AppError('NOT_FOUND');
    const body = await this.read(exchange, source);
    const { headers } = exchange.request;
    if (!isProven(source.webhook, { token, headers, body }, source.secrets))
      throw this.refusal(`${exchange.ip} ${sourceId}`);
    return this.deliveries.take(source, body);
  }

  private async find({ ip }: Exchange, sourceId: string): Promise<Source | undefined> {
    if (!this.directory.isStrange(sourceId)) return this.directory.find(sourceId);
    // It may be a new source.
    await this.strangers.requireLookUp(ip, () => false).catch(sentAgain);
    const source = await this.directory.find(sourceId);
    // The answer is that of every other 404, also where nothing was left of the window.
    if (!source) await this.limiter.consumeAddress(ip).catch(() => undefined);
    return source;
  }

  private async read(exchange: Exchange, { scope, sourceId }: Source): Promise<Buffer> {
    try {
      return await this.bodies.read(exchange, { companyId: scope.companyId, keyId: sourceId }, MAX_BYTES);
    } catch (error) {
      return sentAgain(error);
    }
  }

  private refusal(mark: string): AppError {
    if (this.failures.count(mark) <= MAX_FAILURES) return new AppError('DELIVERY_NOT_PROVEN');
    return new AppError(
      'TOO_MANY_FAILED_ATTEMPTS',
      {},
      { headers: { 'Retry-After': String(WINDOW_SECONDS) } },
    );
  }
}

/** Some tools never try again after a 429. @throws AppError SERVICE_UNAVAILABLE in the place of RATE_LIMITED */
function sentAgain(error: unknown): never {
  if (error instanceof AppError && error.code === 'RATE_LIMITED')
    throw new AppError('SERVICE_UNAVAILABLE', {}, { headers: { 'Retry-After': '1' } });
  throw error;
}
