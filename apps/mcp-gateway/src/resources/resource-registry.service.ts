import { Inject, Injectable } from '@nestjs/common';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config';
import { RESOURCE_NOT_FOUND, RpcFault } from '../json-rpc.protocol';
import { RESOURCES, uriOf } from './resources.catalogue';

/** Lists and reads the reference resources. */
@Injectable()
export class ResourceRegistry {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  list(): ListResourcesResult {
    return {
      resources: RESOURCES.map((resource) => {
        const { name, title, description, mimeType, text } = resource;
        const size = Buffer.byteLength(text);
        return { uri: uriOf(this.config.KEY_PREFIX, resource), name, title, description, mimeType, size };
      }),
    };
  }

  read(uri: string): ReadResourceResult {
    const resource = RESOURCES.find((candidate) => uriOf(this.config.KEY_PREFIX, candidate) === uri);
    if (!resource) {
      throw new RpcFault(
        RESOURCE_NOT_FOUND,
        'There is no resource of this URI. resources/list names them all.',
        { data: { uri } },
      );
    }
    return { contents: [{ uri, mimeType: resource.mimeType, text: resource.text }] };
  }
}
