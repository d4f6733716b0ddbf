import 'reflect-metadata';
import { runMain, startService } from '@outcomes/platform';
import { gatewayConfig } from './gateway.config';
import { allowOrigins, GatewayModule } from './gateway.module';

runMain('mcp-gateway', () => {
  const config = gatewayConfig();
  return startService(
    'mcp-gateway',
    config,
    (platform) => GatewayModule.register(platform, config),
    (app) => allowOrigins(app, config),
  );
});
