import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { IntelligenceService } from '@outcomes/read-model';
import { Says } from '../envelope/says.decorator';
import {
  AuditQuery,
  BanditQuery,
  CampaignsQuery,
  ContactDecisionsQuery,
  ContactQuery,
  DecisionsQuery,
  DriftQuery,
  HealthQuery,
  RecommendationsQuery,
} from '../queries';

@Controller('intelligence')
@RequirePermission('analytics_read')
export class IntelligenceController {
  constructor(@Inject(IntelligenceService) private readonly service: IntelligenceService) {}

  @Get('campaigns')
  @Says('Campaigns in order of their id.')
  campaigns(@Caller() caller: Principal, @Query() query: CampaignsQuery) {
    return this.service.campaigns(caller.scope, query);
  }

  @Get('campaigns/:campaignId/health')
  @Says('Health of one campaign.')
  campaignHealth(
    @Caller() caller: Principal,
    @Param('campaignId') campaignId: string,
    @Query() query: HealthQuery,
  ) {
    return this.service.campaignHealth(caller.scope, { ...query, campaign_id: campaignId });
  }

  @Get('recommendations')
  @Says('Recommendations, strongest evidence first.')
  recommendations(@Caller() caller: Principal, @Query() query: RecommendationsQuery) {
    return this.service.campaignRecommendations(caller.scope, query);
  }

  @Get('bandit')
  @Says('Reply-rate posteriors per channel and position.')
  bandit(@Caller() caller: Principal, @Query() query: BanditQuery) {
    return this.service.banditState(caller.scope, query);
  }

  @Get('drift')
  @Says('Drift state.')
  drift(@Caller() caller: Principal, @Query() query: DriftQuery) {
    return this.service.driftState(caller.scope, query);
  }

  @Get('decisions')
  @Says('Decisions, newest first.')
  decisions(@Caller() caller: Principal, @Query() query: DecisionsQuery) {
    return this.service.workflowDecisions(caller.scope, query);
  }

  @Get('contacts/:contactId')
  @Says('Intelligence about one contact.')
  contact(@Caller() caller: Principal, @Param('contactId') contactId: string, @Query() query: ContactQuery) {
    return this.service.recipientIntelligence(caller.scope, { ...query, contact_id: contactId });
  }

  @Get('contacts/:contactId/decisions')
  @Says('Decisions about one contact, newest first.')
  contactDecisions(
    @Caller() caller: Principal,
    @Param('contactId') contactId: string,
    @Query() query: ContactDecisionsQuery,
  ) {
    return this.service.workflowDecisions(caller.scope, { ...query, contact_id: contactId });
  }

  @Get('audit')
  @Says('Audit log of tool calls, newest first.')
  audit(@Caller() caller: Principal, @Query() query: AuditQuery) {
    return this.service.actionAuditLog(caller.scope, query);
  }
}
