import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '@outcomes/auth';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config';
import { protectedResource, type ProtectedResource } from './protected-resource.document';

/** Tells who gives out access tokens, where some are taken. */
@Controller('.well-known/oauth-protected-resource')
export class MetadataController {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  /** Clients ask under the path of the server first, then without one. */
  @Get(['', 'mcp'])
  @Public()
  metadata(): ProtectedResource {
    return protectedResource(this.config);
  }
}
