import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ACCESS_TOKEN_SETTINGS, type AccessTokenSettings } from './access-token-settings';

/** Has authentication take access tokens of an issuer beside keys. Without it, there are keys alone. */
@Global()
@Module({})
export class AccessTokensModule {
  static register(settings: AccessTokenSettings): DynamicModule {
    return {
      module: AccessTokensModule,
      providers: [{ provide: ACCESS_TOKEN_SETTINGS, useValue: settings }],
      exports: [ACCESS_TOKEN_SETTINGS],
    };
  }
}
