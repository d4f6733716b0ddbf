import { Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import { DecisionReplay } from '@outcomes/analysis';
import { CompanySettingsAdministration, RequirePermission } from '@outcomes/auth';
import { IngestStatuses } from '@outcomes/ingestion';
import { TakesBody } from '@outcomes/limits';
import { z } from '@outcomes/platform';
import { ClaimRecords, DailySeriesService, WorkflowDecisionsService } from '@outcomes/read-model';
import { JsonBody } from '../access/json-body.decorator';
import { Visiting, type Visit } from '../access/visitor.decorator';
import { AdministrativeActs } from './administrative-acts.service';
import { CompanyUsages } from './company-usage.service';

const MAX_BYTES = 4_096;
const SETTINGS = z.strictObject({ name: z.string().max(1_000), timeZone: z.string().max(100) });

/** What a company knows of itself beside the answers of the read model. */
@Controller('api/c/:company')
export class CompanyController {
  constructor(
    @Inject(ClaimRecords) private readonly claims: ClaimRecords,
    @Inject(DailySeriesService) private readonly series: DailySeriesService,
    @Inject(WorkflowDecisionsService) private readonly decisions: WorkflowDecisionsService,
    @Inject(DecisionReplay) private readonly replays: DecisionReplay,
    @Inject(IngestStatuses) private readonly statuses: IngestStatuses,
    @Inject(CompanyUsages) private readonly usages: CompanyUsages,
    @Inject(AdministrativeActs) private readonly acts: AdministrativeActs,
    @Inject(CompanySettingsAdministration) private readonly settings: CompanySettingsAdministration,
  ) {}

  @Get('claims')
  @RequirePermission('read')
  listClaims(@Visiting() { scope }: Visit, @Query('hints') hints: unknown) {
    return this.claims.of(scope, undefined, hints === 'true');
  }

  @Get('claims/:code')
  @RequirePermission('read')
  claimsOf(@Visiting() { scope }: Visit, @Param('code') code: string) {
    return this.claims.of(scope, code, true);
  }

  @Get('backtest')
  @RequirePermission('read')
  async backtest(@Visiting() { scope }: Visit) {
    return { backtest: await this.claims.backtest(scope) };
  }

  @Get('evidence/:code')
  @RequirePermission('read')
  evidence(@Visiting() { scope }: Visit, @Param('code') code: string) {
    return this.claims.pathOf(scope, code);
  }

  @Get('decisions/:decisionId')
  @RequirePermission('read')
  decision(@Visiting() { scope }: Visit, @Param('decisionId') decisionId: string) {
    return this.decisions.one(scope, decisionId);
  }

  @Get('decisions/:decisionId/frozen')
  @RequirePermission('read')
  frozen(@Visiting() { scope }: Visit, @Param('decisionId') decisionId: string) {
    return this.replays.frozen(scope, decisionId);
  }

  @Get('decisions/:decisionId/replay')
  @RequirePermission('read')
  replay(@Visiting() { scope }: Visit, @Param('decisionId') decisionId: string) {
    return this.replays.one(scope, decisionId);
  }

  @Get('daily')
  @RequirePermission('read')
  daily(@Visiting() { scope }: Visit) {
    return this.series.of(scope);
  }

  @Get('data')
  @RequirePermission('read')
  status(@Visiting() { scope }: Visit) {
    return this.statuses.of(scope);
  }

  @Get('data/batches')
  @RequirePermission('read')
  batches(@Visiting() { scope }: Visit) {
    return this.statuses.batches(scope);
  }

  @Get('usage')
  @RequirePermission('manage_billing')
  usage(@Visiting() visit: Visit) {
    return this.usages.of(visit);
  }

  @Get('acts')
  @RequirePermission('manage_people')
  listActs(@Visiting() visit: Visit) {
    return this.acts.newest(visit);
  }

  @Get('settings')
  @RequirePermission('manage_people')
  readSettings(@Visiting() { scope }: Visit) {
    return this.settings.read(scope);
  }

  @Put('settings')
  @RequirePermission('manage_people')
  @TakesBody('application/json', MAX_BYTES)
  change(@Visiting() { scope, deed }: Visit, @JsonBody(SETTINGS) settings: z.infer<typeof SETTINGS>) {
    return this.settings.change(scope, settings, deed);
  }
}
