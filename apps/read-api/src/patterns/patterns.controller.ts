import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { METRICS, NO_ANALYSIS_YET, OPERATIONAL_ANALYSES } from '@outcomes/contracts';
import { Direct } from '@outcomes/limits';
import { PatternsService } from '@outcomes/read-model';
import { Read } from '../openapi';
import { ProfilesQuery } from '../queries';

@Controller('patterns')
@ApiTags('Patterns')
@RequirePermission('analytics_read')
export class PatternsController {
  constructor(@Inject(PatternsService) private readonly service: PatternsService) {}

  @Get()
  @Direct()
  @Read('Patterns', {
    says: 'Pattern recommendations, strongest evidence first.',
    empty: 'No patterns yet: they follow once outcomes sent to POST /ingest/events are processed.',
    summary: 'Pattern recommendations',
    description:
      'What to do more of and what to avoid, by descending tier. Records with -OBS- in their code are observations without evidence yet. Empty before the first run.',
  })
  patterns(@Caller() caller: Principal) {
    return this.service.patterns(caller.scope);
  }

  @Get('descriptions')
  @Direct()
  @Read('PatternDescriptions', {
    says: 'Descriptions of all pattern codes.',
    summary: 'Catalogue of the pattern codes',
    description: 'What each of the 51 codes means; the same for every company.',
  })
  descriptions() {
    return this.service.descriptions();
  }

  @Get('analysis')
  @Read('FirstAnalysis', {
    says: 'First stored analysis record.',
    empty: NO_ANALYSIS_YET,
    summary: 'First analysis record',
    description:
      'The first stored record in ascending order of analysisKey, which may be an operational row such as general_analysis; an empty object before the first run.',
  })
  analysis(@Caller() caller: Principal) {
    return this.service.firstAnalysis(caller.scope);
  }

  @Get('recipients')
  @Direct()
  @Read('RecipientAnalysis', {
    says: 'Recipient analysis.',
    summary: 'Recipient analysis',
    description:
      'Who answers, by position and segment, with chart configurations. Well formed and empty without data.',
  })
  recipients(@Caller() caller: Principal) {
    return this.service.recipients(caller.scope);
  }

  @Get('recommendation-profiles')
  @Read('RecipientProfiles', {
    says: 'Profiles of recipients who have answered.',
    empty: 'No profiles: nobody has answered yet, or none carries the recommendationCode asked for.',
    summary: 'Recipient profiles',
    description:
      'One profile per recipient who has answered at least once, under a hash of the address; where no address was ever sent, of the recipient_id, with email_domain unknown. With limit, page by page: the Link header (rel=next) leads to the page that follows, and is missing on the last. Without, the whole list; a very long one is streamed, without an ETag.',
    mayStream: true,
    isPaged: true,
  })
  profiles(@Caller() caller: Principal, @Query() query: ProfilesQuery) {
    return this.service.selectedProfiles(caller.scope, query);
  }

  @Get('chunks')
  @Direct()
  @Read('ChunkCatalogue', {
    says: 'Catalogue of the metric chunks.',
    summary: 'Catalogue of the metrics',
    description: 'The eleven metrics and which of them have data; of the others, why they have none.',
  })
  chunks(@Caller() caller: Principal) {
    return this.service.chunks(caller.scope);
  }

  @Get('chunks/:metricName')
  @ApiParam({
    name: 'metricName',
    description:
      'metricName of the catalogue, or one of the two rows beside it: general_analysis (totals, channels and steps), timing_matrix (weekday by hour).',
    schema: {
      type: 'string',
      enum: [...METRICS.map(({ metricName }) => metricName), ...OPERATIONAL_ANALYSES],
    },
  })
  @Read('AnalysisRecord', {
    says: 'Analysis of one metric.',
    summary: 'Analysis of one metric',
    description: 'The stored analysis record of one metric. A metric without data is answered with 404.',
    fails: ['METRIC_NOT_FOUND', 'METRIC_HAS_NO_DATA', 'INVALID_REQUEST'],
  })
  chunk(@Caller() caller: Principal, @Param('metricName') metricName: string) {
    return this.service.chunk(caller.scope, metricName);
  }

  @Get('contact-insights')
  @Direct()
  @Read('ContactInsights', {
    says: 'Totals over the analyses.',
    summary: 'Totals over all analyses',
    description:
      'Messages, opens, replies and meetings. Each message counts once, however many analyses it is part of.',
  })
  contactInsights(@Caller() caller: Principal) {
    return this.service.contactInsights(caller.scope);
  }
}
