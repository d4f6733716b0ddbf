import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { PatternsService } from '@outcomes/read-model';
import { Says } from '../envelope/says.decorator';
import { ProfilesQuery } from '../queries';

@Controller('patterns')
@RequirePermission('analytics_read')
export class PatternsController {
  constructor(@Inject(PatternsService) private readonly service: PatternsService) {}

  @Get()
  @Says('Pattern recommendations, strongest evidence first.')
  patterns(@Caller() caller: Principal) {
    return this.service.patterns(caller.scope);
  }

  @Get('descriptions')
  @Says('Descriptions of all pattern codes.')
  descriptions() {
    return this.service.descriptions();
  }

  @Get('analysis')
  @Says('First stored analysis record.')
  analysis(@Caller() caller: Principal) {
    return this.service.firstAnalysis(caller.scope);
  }

  @Get('recipients')
  @Says('Recipient analysis.')
  recipients(@Caller() caller: Principal) {
    return this.service.recipients(caller.scope);
  }

  @Get('recommendation-profiles')
  @Says('Profiles of recipients who have answered.')
  profiles(@Caller() caller: Principal, @Query() query: ProfilesQuery) {
    return this.service.profiles(caller.scope, query.recommendationCode);
  }

  @Get('chunks')
  @Says('Catalogue of the metric chunks.')
  chunks(@Caller() caller: Principal) {
    return this.service.chunks(caller.scope);
  }

  @Get('chunks/:metricName')
  @Says('Analysis of one metric.')
  chunk(@Caller() caller: Principal, @Param('metricName') metricName: string) {
    return this.service.chunk(caller.scope, metricName);
  }

  @Get('contact-insights')
  @Says('Totals over the analyses.')
  contactInsights(@Caller() caller: Principal) {
    return this.service.contactInsights(caller.scope);
  }
}
