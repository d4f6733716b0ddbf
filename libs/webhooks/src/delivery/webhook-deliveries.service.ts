import { Inject, Injectable } from '@nestjs/common';
import { SmtpMailer } from '@outcomes/deprecation';
import {
  CLOCK,
  Counter,
  LOGGER,
  Management,
  type Clock,
  type Logger,
  type SecretBox,
} from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { PING } from '../webhook-types';
import { DeliveryRepository, type AttemptResult, type ClaimedDelivery } from './delivery.repository';
import { HttpsPoster, type DeliveryAttempt } from './https-poster';
import { NoticeRepository } from './notice.repository';
import { noticeText } from './notice-text';
import { MAX_ATTEMPTS, pauseAfter } from './retries';
import { signedHeaders } from './signature';

/** The box with the key of the installation; the application provides it. */
export const WEBHOOK_SECRETS = Symbol('WebhookSecrets');
/** A number from 0 to below 1, each time another. */
export const RANDOM = Symbol('Random');

/** So many companies at once, and so many attempts of each: who answers slowly holds up nobody else. */
const COMPANIES_AT_ONCE = 32;
const ATTEMPTS_AT_ONCE = 4;
const GONE = 410;

/** Establishes a company to work for. */
export type ScopeOf = (companyId: string) => Promise<TenantScope | undefined>;

type Fate = 'delivered' | 'put_off' | 'given_up';

/** Delivers what stands in the outbox. Any number of processes may do so at once. */
@Injectable()
export class WebhookDeliveries {
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly attempts: Counter<'result'>;

  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(DeliveryRepository) private readonly deliveries: DeliveryRepository,
    @Inject(NoticeRepository) private readonly notices: NoticeRepository,
    @Inject(HttpsPoster) private readonly poster: HttpsPoster,
    @Inject(SmtpMailer) private readonly mailer: SmtpMailer,
    @Inject(WEBHOOK_SECRETS) private readonly box: SecretBox,
    @Inject(RANDOM) private readonly random: () => number,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) { registry }: Management,
  ) {
    this.attempts = new Counter({
      name: 'outcomes_webhook_attempts_total',
      help: 'Attempts to deliver a message to a webhook, by what became of it: delivered, put_off, given_up.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['delivered', 'put_off', 'given_up'] as const) this.attempts.inc({ result }, 0);
  }

  /**
   * Begins what is due, of companies that nothing is under way for. Without a key to open secrets with nothing is sent,
   * and nothing counts as tried.
   * @param scopeOf - undefined where there is no such company any more
   * @returns once all that is under way by then has been settled
   */
  async deliverDue(scopeOf: ScopeOf): Promise<void> {
    if (!this.box.hasKey) return;
    const room = COMPANIES_AT_ONCE - this.underWay.size;
    if (room > 0) {
      const due = await this.deliveries.companiesWithDue(this.clock.now(), COMPANIES_AT_ONCE * 2);
      const idle = due.filter((companyId) => !this.underWay.has(companyId)).slice(0, room);
      for (const companyId of idle) this.underWay.set(companyId, this.deliverOf(companyId, scopeOf));
    }
    await Promise.all(this.underWay.values());
  }

  /** Lets go of what was delivered or given up long ago. */
  async expire(scope: TenantScope): Promise<void> {
    await this.deliveries.expire(scope, this.clock.now());
  }

  private async deliverOf(companyId: string, scopeOf: ScopeOf): Promise<void> {
    try {
      const scope = await scopeOf(companyId);
      if (!scope) return;
      const claimed = await this.deliveries.claim(scope, this.clock.now(), ATTEMPTS_AT_ONCE);
      await Promise.all(claimed.map((delivery) => this.attempt(scope, delivery)));
      await this.tellOwner(scope);
    } catch (error) {
      // One company's trouble is not the next one's; what was claimed is due again when its lease is over.
      this.logger.warn({ err: error }, 'the webhooks of a company could not be delivered');
    } finally {
      this.underWay.delete(companyId);
    }
  }

  private async attempt(scope: TenantScope, delivery: ClaimedDelivery): Promise<void> {
    if (delivery.isDisabled)
      return this.deliveries.giveUp(scope, delivery, { status: null, fault: 'ENDPOINT_DISABLED' });
    // More than that were claimed only where workers have died in the midst of some.
    if (delivery.attempts > MAX_ATTEMPTS) {
      this.attempts.inc({ result: 'given_up' });
      return this.end(scope, delivery, { status: null, fault: 'NO_ATTEMPT_ENDED' });
    }
    const fate = await this.send(scope, delivery);
    this.attempts.inc({ result: fate });
  }

  private async send(scope: TenantScope, delivery: ClaimedDelivery): Promise<Fate> {
    const secrets = [delivery.signingSecret, delivery.previousSigningSecret].flatMap((sealed) =>
      sealed === null ? [] : (this.box.open(sealed, delivery.endpointId) ?? []),
    );
    if (secrets.length === 0)
      return this.again(scope, delivery, { status: null, fault: 'SECRET_UNREADABLE' }, undefined);
    const headers = signedHeaders(delivery, secrets, this.clock.now());
    const attempt: DeliveryAttempt = await this.poster.post(delivery.url, headers, delivery.body);
    if ('fault' in attempt)
      return this.again(scope, delivery, { status: null, fault: attempt.fault }, undefined);
    const { status, retryAfter } = attempt;
    const result = { status, fault: null };
    if (status >= 200 && status < 300) {
      await this.deliveries.delivered(scope, delivery, result);
      return 'delivered';
    }
    if (status === GONE && delivery.type !== PING) {
      await this.deliveries.disable(scope, delivery, result, 'gone', this.clock.now());
      return 'given_up';
    }
    return this.again(scope, delivery, result, retryAfter);
  }

  private async again(
    scope: TenantScope,
    delivery: ClaimedDelivery,
    result: AttemptResult,
    retryAfter: string | undefined,
  ): Promise<Fate> {
    const now = this.clock.now();
    const pause =
      delivery.type === PING
        ? undefined
        : pauseAfter(delivery.attempts, { retryAfter, now, random: this.random() });
    if (pause === undefined) {
      await this.end(scope, delivery, result);
      return 'given_up';
    }
    await this.deliveries.putOff(scope, delivery, result, new Date(now.getTime() + pause));
    return 'put_off';
  }

  /** The end of all attempts: nothing more is sent to where nothing has arrived for three days. */
  private async end(scope: TenantScope, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
    if (delivery.type === PING) return this.deliveries.giveUp(scope, delivery, result);
    await this.deliveries.disable(scope, delivery, result, 'failed', this.clock.now());
  }

  private async tellOwner(scope: TenantScope): Promise<void> {
    const notice = await this.notices.claim(scope, this.clock.now());
    if (!notice) return;
    const { email, endpointId, messageId, reason } = notice;
    // The mail would say that it is off, to somebody who has switched it on again.
    if (reason === null) return this.notices.settle(scope, notice);
    if (email === null || !this.mailer.isOn) {
      this.logger.warn({ endpoint: endpointId }, 'a webhook was disabled, and nobody can be told by e-mail');
    } else {
      try {
        await this.mailer.send({ to: email, messageId: `webhook.${messageId}`, ...noticeText(notice) });
      } catch (error) {
        // Due again in a while. Servers quote addresses in their refusals: the log takes class and code alone.
        this.logger.warn({ err: error, endpoint: endpointId }, 'the owner of a webhook could not be told');
        return;
      }
    }
    await this.notices.settle(scope, notice);
  }
}
