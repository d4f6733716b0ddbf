import 'reflect-metadata';
import { limitUnknownRoutes, serveDirectly } from '@outcomes/limits';
import { startService } from '@outcomes/platform/service';
import { gatewayConfig } from './gateway.config';
import { allowOrigins, GatewayModule } from './gateway.module';
import { McpController } from './mcp/mcp.controller';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  const config = gatewayConfig();
  return startService(
    'mcp-gateway',
    config,
    (platform) => GatewayModule.register(platform, config),
    (app, http) => {
      allowOrigins(app, config);
      serveDirectly(app, http, [McpController]);
      limitUnknownRoutes(app);
    },
  );
}
