import { All, Controller } from '@nestjs/common';
import { Guarded } from '@outcomes/auth';
import { Direct } from '@outcomes/limits';
import { OfExchange, type Exchange } from '@outcomes/platform';
import { McpEndpoint } from './mcp-endpoint.service';

@Controller()
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  /**
   * Every verb: a stranger with the wrong verb is told that he is a stranger, not which verbs there are. Pages of the
   * web come through Nest, which adds CORS headers.
   */
  @All('mcp')
  @Guarded()
  @Direct({ method: 'POST', takes: ({ headers }) => headers.origin === undefined })
  receive(@OfExchange() exchange: Exchange): Promise<void> {
    return this.endpoint.answer(exchange);
  }
}
