import { Controller, Get, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { AnalysisRequests, IngestStatuses } from '@outcomes/ingestion';
import { GetStatus, PostAnalysis } from '../openapi';
import { NoParametersGuard } from './no-parameters.guard';

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
  @UseGuards(NoParametersGuard)
  status(@Caller() { scope }: Principal) {
    return this.statuses.of(scope);
  }

  @Post('analysis')
  @PostAnalysis()
  @HttpCode(202)
  @RequirePermission('events_write')
  @UseGuards(NoParametersGuard)
  requestAnalysis(@Caller() { scope }: Principal) {
    return this.requests.request(scope);
  }
}
