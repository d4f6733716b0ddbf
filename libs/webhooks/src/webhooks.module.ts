import { Module, type DynamicModule } from '@nestjs/common';
import { SMTP_SETTINGS, SmtpMailer, type SmtpSettings } from '@outcomes/deprecation';
import { SecretBox } from '@outcomes/platform';
import { DeliveryRepository } from './delivery/delivery.repository';
import { HttpsPoster, OUTSIDE, type Outside } from './delivery/https-poster';
import { NoticeRepository } from './delivery/notice.repository';
import { RANDOM, WEBHOOK_SECRETS, WebhookDeliveries } from './delivery/webhook-deliveries.service';

export interface WebhookSettings {
  /** As SecretBox takes them; empty where nothing is sent. */
  readonly secretKeys: string;
  /** Null where nobody is told by e-mail. */
  readonly smtp: SmtpSettings | null;
  /** Another world, in tests only. */
  readonly outside?: Outside;
  readonly random?: () => number;
}

/** Delivery of what stands in the outbox. It needs PlatformModule and PersistenceModule. */
@Module({})
export class WebhooksModule {
  static register({
    secretKeys,
    smtp,
    outside = OUTSIDE,
    random = Math.random,
  }: WebhookSettings): DynamicModule {
    return {
      module: WebhooksModule,
      providers: [
        { provide: WEBHOOK_SECRETS, useValue: new SecretBox(secretKeys) },
        { provide: SMTP_SETTINGS, useValue: smtp },
        { provide: HttpsPoster, useValue: new HttpsPoster(outside) },
        { provide: RANDOM, useValue: random },
        SmtpMailer,
        DeliveryRepository,
        NoticeRepository,
        WebhookDeliveries,
      ],
      exports: [WebhookDeliveries],
    };
  }
}
