import { Module, type DynamicModule } from '@nestjs/common';
import { PasswordHashes } from './passwords/password-hashes.service';
import { Invitations } from './people/invitations.service';
import { OwnAccounts } from './people/own-account.service';
import { OwnCompanies } from './people/own-companies.service';
import { People } from './people/people.service';
import { AccountRetention } from './retention/account-retention.service';
import { Sessions } from './sessions/sessions.service';
import { LocalSignIn } from './sign-in/local-sign-in.service';
import { OIDC_PROVIDER, OidcSignIn, type OidcProvider } from './sign-in/oidc-sign-in.service';
import { SignInThrottle } from './sign-in/sign-in-throttle.service';

/** People, their sessions and companies. Needs PlatformModule and PersistenceModule in the app. */
@Module({})
export class AccountsModule {
  /** @param provider - where people sign in; undefined: here, with passwords */
  static register(provider: OidcProvider | undefined): DynamicModule {
    const signIn = provider ? [{ provide: OIDC_PROVIDER, useValue: provider }, OidcSignIn] : [LocalSignIn];
    return {
      module: AccountsModule,
      providers: [
        ...[AccountRetention, Invitations, OwnAccounts, OwnCompanies, People, Sessions, SignInThrottle],
        { provide: PasswordHashes, useFactory: () => new PasswordHashes() },
        ...signIn,
      ],
      exports: [
        Invitations,
        OwnAccounts,
        OwnCompanies,
        People,
        Sessions,
        provider ? OidcSignIn : LocalSignIn,
      ],
    };
  }
}
