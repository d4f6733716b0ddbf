import 'reflect-metadata';
import { countUnmatchedRoutes } from '@outcomes/limits';
import { startService } from '@outcomes/platform';
import { gatewayConfig } from './gateway.config';
import { allowOrigins, GatewayModule } from './gateway.module';
import { McpEntrance } from './mcp/mcp-entrance.service';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  const config = gatewayConfig();
  return startService(
    'mcp-gateway',
    config,
    (platform) => GatewayModule.register(platform, config),
    (app, { serveFast }) => {
      allowOrigins(app, config);
      serveFast([app.get(McpEntrance).fastRoute]);
      countUnmatchedRoutes(app, 'protocol');
    },
  );
}
