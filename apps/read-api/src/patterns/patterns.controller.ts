import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import {
  ANALYSIS_OF_METRIC,
  CHUNK_CATALOGUE,
  CONTACT_INSIGHTS,
  DESCRIPTIONS_OF_PATTERNS,
  FIRST_ANALYSIS,
  PATTERNS,
  RECIPIENT_ANALYSIS,
  RECIPIENT_PROFILES,
  type MetricQuery,
  type RecipientProfilesQuery,
} from '@outcomes/contracts';
import { Direct, Given } from '@outcomes/limits';
import { PatternsService } from '@outcomes/read-model';
import { addressOf, Read } from '../openapi';

@Controller()
@ApiTags('Patterns')
@RequirePermission('analytics_read')
export class PatternsController {
  constructor(@Inject(PatternsService) private readonly service: PatternsService) {}

  @Get(addressOf(PATTERNS))
  @Direct()
  @Read(PATTERNS)
  patterns(@Caller() caller: Principal) {
    return this.service.patterns(caller.scope);
  }

  @Get(addressOf(DESCRIPTIONS_OF_PATTERNS))
  @Direct()
  @Read(DESCRIPTIONS_OF_PATTERNS)
  descriptions() {
    return this.service.descriptions();
  }

  @Get(addressOf(FIRST_ANALYSIS))
  @Read(FIRST_ANALYSIS)
  analysis(@Caller() caller: Principal) {
    return this.service.firstAnalysis(caller.scope);
  }

  @Get(addressOf(RECIPIENT_ANALYSIS))
  @Direct()
  @Read(RECIPIENT_ANALYSIS)
  recipients(@Caller() caller: Principal) {
    return this.service.recipients(caller.scope);
  }

  @Get(addressOf(RECIPIENT_PROFILES))
  @Read(RECIPIENT_PROFILES)
  profiles(@Caller() caller: Principal, @Given() query: RecipientProfilesQuery) {
    return this.service.selectedProfiles(caller.scope, query);
  }

  @Get(addressOf(CHUNK_CATALOGUE))
  @Direct()
  @Read(CHUNK_CATALOGUE)
  chunks(@Caller() caller: Principal) {
    return this.service.chunks(caller.scope);
  }

  @Get(addressOf(ANALYSIS_OF_METRIC))
  @Read(ANALYSIS_OF_METRIC)
  chunk(@Caller() caller: Principal, @Given() { metric_name }: MetricQuery) {
    return this.service.chunk(caller.scope, metric_name);
  }

  @Get(addressOf(CONTACT_INSIGHTS))
  @Direct()
  @Read(CONTACT_INSIGHTS)
  contactInsights(@Caller() caller: Principal) {
    return this.service.contactInsights(caller.scope);
  }
}
