import { Module, type DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AuditModule } from '@outcomes/audit';
import { AccessTokensModule, AuthModule } from '@outcomes/auth';
import { LimiterModule, pipelineProviders } from '@outcomes/limits';
import { PersistenceModule } from '@outcomes/persistence';
import { ReadModelModule } from '@outcomes/read-model';
import { TenantChoice } from './access/tenant-choice.service';
import { CompletionAnswers } from './completions/completion-answers.service';
import { accessTokenSettings, GATEWAY_CONFIG, type GatewayConfig } from './gateway.config';
import { HealthController } from './health/health.controller';
import { AddressCheck } from './access/address-check.service';
import { CallerAdmission } from './access/caller-admission.service';
import { FreeRequests } from './mcp/free-requests.service';
import { McpEndpoint } from './mcp/mcp-endpoint.service';
import { McpController } from './mcp/mcp.controller';
import { Protocol } from './mcp/protocol.service';
import { SharedTransport } from './mcp/shared-transport.service';
import { MetadataController } from './metadata/metadata.controller';
import { PromptRegistry } from './prompts/prompt-registry.service';
import { ResourceRegistry } from './resources/resource-registry.service';
import { ToolCallValidator } from './tools/tool-call-validator.service';
import { CallMetrics } from './tools/call-metrics.service';
import { CallRecords } from './tools/call-records.service';
import { ToolCalls } from './tools/tool-calls.service';

@Module({
  controllers: [HealthController, McpController],
  providers: [
    AddressCheck,
    ToolCallValidator,
    CallMetrics,
    CallRecords,
    CompletionAnswers,
    FreeRequests,
    McpEndpoint,
    PromptRegistry,
    Protocol,
    ResourceRegistry,
    SharedTransport,
    TenantChoice,
    ToolCalls,
    ...pipelineProviders('protocol', CallerAdmission),
  ],
})
export class GatewayModule {
  static register(platform: DynamicModule, config: GatewayConfig): DynamicModule {
    const tokens = accessTokenSettings(config);
    return {
      module: GatewayModule,
      controllers: tokens ? [MetadataController] : [],
      imports: [
        platform,
        ...(tokens ? [AccessTokensModule.register(tokens)] : []),
        PersistenceModule.register('mcp-gateway'),
        AuthModule,
        LimiterModule,
        AuditModule,
        ReadModelModule,
      ],
      providers: [{ provide: GATEWAY_CONFIG, useValue: config }],
    };
  }
}

/** Lets pages of the invited origins read answers; without any, browsers get no CORS header at all. */
export function allowOrigins(app: NestExpressApplication, { MCP_ALLOWED_ORIGINS }: GatewayConfig): void {
  if (MCP_ALLOWED_ORIGINS.length === 0) return;
  app.enableCors({
    origin: MCP_ALLOWED_ORIGINS,
    methods: ['POST'],
    exposedHeaders: [
      'WWW-Authenticate',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
  });
}
