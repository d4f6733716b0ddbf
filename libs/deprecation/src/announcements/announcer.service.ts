import { Inject, Injectable } from '@nestjs/common';
import { isAnnounced, type Deprecation } from '@outcomes/contracts';
import { CLOCK, Counter, LOGGER, Management, SERVICE_CONFIG } from '@outcomes/platform';
import type { Clock, Logger, ServiceConfig } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { announcementText } from './announcement-text';
import { AnnouncementRepository, type KeyHolder } from './announcement.repository';
import { SmtpMailer } from './smtp-mailer.service';

/** The deprecations that are announced: DEPRECATIONS, except in tests. */
export const ANNOUNCED_CATALOGUE = Symbol('AnnouncedCatalogue');

/** What became of one company's announcements. */
export interface AnnouncementReport {
  readonly sent: number;
  /** Tried again later. */
  readonly failed: number;
  /** Active keys about which nobody can be told. */
  readonly keysWithoutContact: number;
}

/** Tells the holders of API keys what will end: each once, whoever else is at it. */
@Injectable()
export class Announcer {
  private readonly results: Counter<'result'>;

  constructor(
    @Inject(AnnouncementRepository) private readonly announcements: AnnouncementRepository,
    @Inject(SmtpMailer) private readonly mailer: SmtpMailer,
    @Inject(ANNOUNCED_CATALOGUE) private readonly catalogue: readonly Deprecation[],
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Management) { registry }: Management,
  ) {
    this.results = new Counter({
      name: 'outcomes_announcements_total',
      help: 'Messages about deprecations to key holders, by what became of them: sent or failed (tried again later).',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['sent', 'failed'] as const) this.results.inc({ result }, 0);
  }

  /** Whether there is anything to tell today. */
  get isDue(): boolean {
    return this.current().length > 0;
  }

  /** Whether messages can be sent. */
  get isOn(): boolean {
    return this.mailer.isOn;
  }

  /**
   * Tells the holders of a company's active keys, of each deprecation, what they were not told yet.
   * @param stopped - asked before each message
   * @throws AppError SERVICE_UNAVAILABLE where Postgres is away; whoever was claimed by then is tried again later
   */
  async announce(scope: TenantScope, stopped: () => boolean = () => false): Promise<AnnouncementReport> {
    const counts = { sent: 0, failed: 0 };
    const current = this.isOn ? this.current() : [];
    if (current.length === 0) return { ...counts, keysWithoutContact: 0 };
    const { holders, keysWithoutContact } = await this.announcements.holders(scope, this.clock.now());
    for (const deprecation of current) {
      for (const holder of holders) {
        if (stopped()) return { ...counts, keysWithoutContact };
        if (!(await this.announcements.claim(scope, deprecation, holder, this.clock.now()))) continue;
        const result = (await this.send(deprecation, holder)) ? 'sent' : 'failed';
        if (result === 'sent') await this.announcements.told(scope, deprecation, holder, this.clock.now());
        counts[result] += 1;
        this.results.inc({ result });
      }
    }
    return { ...counts, keysWithoutContact };
  }

  /** Lets go of contacts whose key has ended, and of who was told of what ended long ago. */
  async expire(scope: TenantScope): Promise<void> {
    await this.announcements.expire(scope, this.clock.now());
  }

  private async send(deprecation: Deprecation, { email, sha256, keyIds }: KeyHolder): Promise<boolean> {
    try {
      await this.mailer.send({
        to: email,
        messageId: `${deprecation.id}.${sha256.toString('hex', 0, 16)}`,
        ...announcementText(deprecation, keyIds, this.config.KEY_PREFIX),
      });
      return true;
    } catch (error) {
      // Servers quote addresses in their refusals: the log takes the class and code of the error alone.
      this.logger.warn({ err: error, deprecation: deprecation.id }, 'an announcement could not be sent');
      return false;
    }
  }

  private current(): readonly Deprecation[] {
    const today = this.clock.now().toISOString().slice(0, 10);
    return this.catalogue.filter((deprecation) => isAnnounced(deprecation, today));
  }
}
