import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '@outcomes/auth';
import { OfExchange, type Exchange } from '@outcomes/platform';
import { WebApp } from './web-app.service';

/** The page, at every address that is nothing else. */
@Controller()
export class PageController {
  constructor(@Inject(WebApp) private readonly app: WebApp) {}

  @Get('{*path}')
  @Public()
  page(@OfExchange() exchange: Exchange) {
    return this.app.send(exchange);
  }
}
