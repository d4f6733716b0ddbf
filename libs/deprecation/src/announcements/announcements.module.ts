import { Module, type DynamicModule } from '@nestjs/common';
import { DEPRECATIONS, type Deprecation } from '@outcomes/contracts';
import { AnnouncementRepository } from './announcement.repository';
import { ANNOUNCED_CATALOGUE, Announcer } from './announcer.service';
import { SMTP_SETTINGS, SmtpMailer, type SmtpSettings } from './smtp-mailer.service';

/** Messages to key holders. It needs PlatformModule and PersistenceModule. */
@Module({})
export class AnnouncementsModule {
  /**
   * @param smtp - null where nothing is sent
   * @param catalogue - other than the one of the interface in tests only
   */
  static register(
    smtp: SmtpSettings | null,
    catalogue: readonly Deprecation[] = DEPRECATIONS,
  ): DynamicModule {
    return {
      module: AnnouncementsModule,
      providers: [
        { provide: SMTP_SETTINGS, useValue: smtp },
        { provide: ANNOUNCED_CATALOGUE, useValue: catalogue },
        AnnouncementRepository,
        SmtpMailer,
        Announcer,
      ],
      exports: [Announcer],
    };
  }
}
