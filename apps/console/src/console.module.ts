import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule, type OidcProvider } from '@outcomes/accounts';
import { DecisionReplay } from '@outcomes/analysis';
import { AdministrationTrail } from '@outcomes/audit';
import { KeyAdministrationModule } from '@outcomes/auth';
import { IngestionModule } from '@outcomes/ingestion';
import { LimiterModule, pipelineProviders } from '@outcomes/limits';
import { PersistenceModule } from '@outcomes/persistence';
import { ReadModelModule } from '@outcomes/read-model';
import { VisitorAdmission } from './access/visitor-admission.service';
import { ANSWER_CONTROLLERS } from './company/answer.controller';
import { AgentAccess } from './company/agent-access.service';
import { AdministrativeActs } from './company/administrative-acts.service';
import { CompanyController } from './company/company.controller';
import { CompanyUsages } from './company/company-usage.service';
import { ErasuresController } from './company/erasures.controller';
import { ImportsController } from './company/imports.controller';
import { KeysController } from './company/keys.controller';
import { PatternsController } from './company/patterns.controller';
import { PeopleController } from './company/people.controller';
import { RecipientErasure } from './company/recipient-erasure.service';
import { RoleGrants } from './company/role-grants.service';
import { CONSOLE_CONFIG, type ConsoleConfig } from './console.config';
import { PageController } from './page/page.controller';
import { WebApp } from './page/web-app.service';
import { AccountController } from './session/account.controller';
import { InvitationController } from './session/invitation.controller';
import { OidcController } from './session/oidc.controller';
import { SessionController } from './session/session.controller';
import { SignInDesk } from './session/sign-in-desk.service';

export const SERVICE_NAME = 'console';

@Module({})
export class ConsoleModule {
  static register(platform: DynamicModule, config: ConsoleConfig): DynamicModule {
    return {
      module: ConsoleModule,
      imports: [
        platform,
        PersistenceModule.register(SERVICE_NAME),
        AccountsModule.register(providerOf(config)),
        KeyAdministrationModule,
        LimiterModule,
        ReadModelModule,
        IngestionModule,
      ],
      controllers: [
        SessionController,
        AccountController,
        InvitationController,
        OidcController,
        CompanyController,
        ErasuresController,
        ImportsController,
        KeysController,
        PatternsController,
        PeopleController,
        ...ANSWER_CONTROLLERS,
        // Last: it takes every other address.
        PageController,
      ],
      providers: [
        { provide: CONSOLE_CONFIG, useValue: config },
        ...[
          AdministrationTrail,
          AdministrativeActs,
          AgentAccess,
          CompanyUsages,
          DecisionReplay,
          RecipientErasure,
          RoleGrants,
        ],
        ...[SignInDesk, WebApp],
        ...pipelineProviders('read', VisitorAdmission),
      ],
    };
  }
}

function providerOf(config: ConsoleConfig): OidcProvider | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '', CONSOLE_ORIGIN } = config;
  if (OIDC_ISSUER === undefined) return undefined;
  return {
    issuer: new URL(OIDC_ISSUER),
    ...{ clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET },
    redirectUri: new URL('/api/oidc/callback', CONSOLE_ORIGIN),
  };
}
