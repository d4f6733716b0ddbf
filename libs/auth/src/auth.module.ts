import { Module } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { LOGGER, SERVICE_CONFIG, type Logger, type ServiceConfig } from '@outcomes/platform';
import { AccessTokens } from './access-tokens/access-tokens.service';
import { CompanySettingsAdministration } from './administration/company-settings.service';
import { KeyAdministration } from './administration/key-administration.service';
import { Authenticator } from './authentication/authenticator.service';
import { BootstrapCredentials } from './bootstrap/bootstrap-credentials';
import { TenantDirectory } from './bootstrap/tenant-directory.service';
import { CredentialMetrics } from './failures/credential-metrics.service';
import { FailureThrottle } from './failures/failure-throttle.service';
import { KeyLock } from './failures/key-lock.service';
import { KeyDirectory } from './keys/key-directory.service';
import { KeyEvents } from './keys/key-events.service';
import { KeyUses } from './keys/key-uses.service';

/** Authentication for the services. It needs PlatformModule and PersistenceModule. */
@Module({
  providers: [
    AccessTokens,
    Authenticator,
    CredentialMetrics,
    FailureThrottle,
    KeyDirectory,
    KeyEvents,
    KeyLock,
    KeyUses,
    TenantDirectory,
    {
      provide: BootstrapCredentials,
      inject: [SERVICE_CONFIG, LOGGER],
      useFactory: (config: ServiceConfig, logger: Logger): BootstrapCredentials => {
        const credentials = BootstrapCredentials.parse(config.BOOTSTRAP_CREDENTIALS);
        if (credentials instanceof BootstrapCredentials) return credentials;
        logger.fatal({ faults: credentials.faults }, 'BOOTSTRAP_CREDENTIALS is not usable');
        throw new AppError('INTERNAL_ERROR');
      },
    },
  ],
  exports: [Authenticator],
})
export class AuthModule {}

/** Companies and keys for those who administer them; opens no connection of its own. */
@Module({
  providers: [CompanySettingsAdministration, KeyAdministration],
  exports: [CompanySettingsAdministration, KeyAdministration],
})
export class KeyAdministrationModule {}
