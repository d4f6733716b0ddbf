import { Controller, Get, Inject, Param } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { PatternsService } from '@outcomes/read-model';
import { Visiting, type Visit } from '../access/visitor.decorator';

/** Stored documents of a run, as the read API serves them. */
@Controller('api/c/:company/patterns')
@RequirePermission('read')
export class PatternsController {
  constructor(@Inject(PatternsService) private readonly patterns: PatternsService) {}

  @Get()
  list(@Visiting() { scope }: Visit) {
    return this.patterns.patterns(scope);
  }

  @Get('recipients')
  recipients(@Visiting() { scope }: Visit) {
    return this.patterns.recipients(scope);
  }

  @Get('chunks')
  chunks(@Visiting() { scope }: Visit) {
    return this.patterns.chunks(scope);
  }

  @Get('chunks/:metricName')
  chunk(@Visiting() { scope }: Visit, @Param('metricName') metricName: string) {
    return this.patterns.chunk(scope, metricName);
  }

  @Get('contact-insights')
  insights(@Visiting() { scope }: Visit) {
    return this.patterns.contactInsights(scope);
  }
}
