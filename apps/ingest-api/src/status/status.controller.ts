import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { AnalysisRequests, IngestStatuses } from '@outcomes/ingestion';
import { GetStatus, PostAnalysis } from '../openapi';

/** How far the events of a company are, from stored to analysed. */
@Controller('ingest')
export class StatusController {
  constructor(
    @Inject(IngestStatuses) private readonly statuses: IngestStatuses,
    @Inject(AnalysisRequests) private readonly requests: AnalysisRequests,
  ) {}

  @Get('status')
  @GetStatus()
  @RequirePermission('events_write')
  status(@Caller() { scope }: Principal) {
    return this.statuses.of(scope);
  }

  @Post('analysis')
  @PostAnalysis()
  @HttpCode(202)
  @RequirePermission('events_write')
  requestAnalysis(@Caller() { scope }: Principal) {
    return this.requests.request(scope);
  }
}
