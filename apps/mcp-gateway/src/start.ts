import 'reflect-metadata';
import { startService } from '@outcomes/platform';
import { gatewayConfig } from './gateway.config';
import { allowOrigins, GatewayModule } from './gateway.module';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  const config = gatewayConfig();
  return startService(
    'mcp-gateway',
    config,
    (platform) => GatewayModule.register(platform, config),
    (app) => allowOrigins(app, config),
  );
}
