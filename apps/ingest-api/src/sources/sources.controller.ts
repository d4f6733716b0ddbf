import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Caller, Public, RequirePermission, type Principal } from '@outcomes/auth';
import { Deliveries, SourceOverviews } from '@outcomes/ingestion';
import { OfExchange, type Exchange } from '@outcomes/platform';
import { GetSources, PostDelivery, PostDeliveryWithToken, PostReplays } from '../openapi';
import { DeliveryReception } from './delivery-reception.service';

/** What outreach tools deliver, each in its own form, and what became of it. */
@Controller('ingest')
export class SourcesController {
  constructor(
    @Inject(DeliveryReception) private readonly reception: DeliveryReception,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(SourceOverviews) private readonly overviews: SourceOverviews,
  ) {}

  @Get('sources')
  @GetSources()
  @RequirePermission('events_write')
  sources(@Caller() { scope }: Principal) {
    return this.overviews.of(scope);
  }

  @Post('sources/:source')
  @PostDelivery()
  @HttpCode(202)
  @Public()
  receive(@OfExchange() exchange: Exchange, @Param('source') source: string) {
    return this.reception.receive(exchange, source);
  }

  @Post('sources/:source/:token')
  @PostDeliveryWithToken()
  @HttpCode(202)
  @Public()
  receiveWithToken(
    @OfExchange() exchange: Exchange,
    @Param('source') source: string,
    @Param('token') token: string,
  ) {
    return this.reception.receive(exchange, source, token);
  }

  @Post('replays')
  @PostReplays()
  @HttpCode(200)
  @RequirePermission('events_write')
  replay(
    @Caller() { scope }: Principal,
    @Query('source') source: unknown,
    @Query('since') since: unknown,
    @Query('after') after: unknown,
  ) {
    return this.deliveries.replay(scope, { source, since, after });
  }
}
