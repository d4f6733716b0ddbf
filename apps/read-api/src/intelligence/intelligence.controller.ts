import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { IntelligenceService } from '@outcomes/read-model';
import { CampaignId, ContactId, Read } from '../openapi';
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
@ApiTags('Intelligence')
@RequirePermission('analytics_read')
export class IntelligenceController {
  constructor(@Inject(IntelligenceService) private readonly service: IntelligenceService) {}

  @Get('campaigns')
  @Read('CampaignList', {
    says: 'Campaigns in order of their id.',
    summary: 'Campaigns',
    description: 'Campaigns of the company with their health, page by page.',
  })
  campaigns(@Caller() caller: Principal, @Query() query: CampaignsQuery) {
    return this.service.campaigns(caller.scope, query);
  }

  @Get('campaigns/:campaignId/health')
  @CampaignId()
  @Read('CampaignHealth', {
    says: 'Health of one campaign.',
    summary: 'Health of a campaign',
    description:
      'Outcome counts, reply, bounce and unsubscribe rates with 95 % intervals, and what is behind the status. An unknown campaign is no error: its status is insufficient_data, with the alert campaign_not_found. Like get_campaign_health.',
    fails: ['INVALID_REQUEST'],
  })
  campaignHealth(
    @Caller() caller: Principal,
    @Param('campaignId') campaignId: string,
    @Query() query: HealthQuery,
  ) {
    return this.service.campaignHealth(caller.scope, { ...query, campaign_id: campaignId });
  }

  @Get('recommendations')
  @Read('CampaignRecommendations', {
    says: 'Recommendations, strongest evidence first.',
    summary: 'Recommendations',
    description:
      'What to do more of and what to avoid, in plain text. Recommendations are company-wide: campaign_id is echoed and never filters. Like get_campaign_recommendations.',
  })
  recommendations(@Caller() caller: Principal, @Query() query: RecommendationsQuery) {
    return this.service.campaignRecommendations(caller.scope, query);
  }

  @Get('bandit')
  @Read('BanditState', {
    says: 'Reply-rate posteriors per channel and position.',
    summary: 'Reply-rate posteriors',
    description:
      'One arm per channel and position, best mean first. Do not act on them while posteriors_trustworthy is false. Like get_bandit_state.',
  })
  bandit(@Caller() caller: Principal, @Query() query: BanditQuery) {
    return this.service.banditState(caller.scope, query);
  }

  @Get('drift')
  @Read('DriftState', {
    says: 'Drift state.',
    summary: 'Drift',
    description:
      'Every change of a reply rate on record, and whether the posteriors may be acted upon. Like get_drift_state.',
  })
  drift(@Caller() caller: Principal, @Query() query: DriftQuery) {
    return this.service.driftState(caller.scope, query);
  }

  @Get('decisions')
  @Read('WorkflowDecisions', {
    says: 'Decisions, newest first.',
    summary: 'Decisions',
    description:
      'What the service decided about contacts and what came of it, page by page. Like get_workflow_decisions.',
  })
  decisions(@Caller() caller: Principal, @Query() query: DecisionsQuery) {
    return this.service.workflowDecisions(caller.scope, query);
  }

  @Get('contacts/:contactId')
  @ContactId()
  @Read('RecipientIntelligence', {
    says: 'Intelligence about one contact.',
    summary: 'One contact',
    description:
      'Whether the contact may be written to, what happened so far, chance of a reply and next best action. An unknown contact is no error: known is false and can_contact null, which is no leave to write. Like get_recipient_intelligence.',
    fails: ['INVALID_REQUEST'],
  })
  contact(@Caller() caller: Principal, @Param('contactId') contactId: string, @Query() query: ContactQuery) {
    return this.service.recipientIntelligence(caller.scope, { ...query, contact_id: contactId });
  }

  @Get('contacts/:contactId/decisions')
  @ContactId()
  @Read('WorkflowDecisions', {
    says: 'Decisions about one contact, newest first.',
    summary: 'Decisions about a contact',
    description:
      'The decisions about one contact, page by page. can_contact and block_reasons are as of now and overrule a frozen action.',
    fails: ['INVALID_REQUEST'],
  })
  contactDecisions(
    @Caller() caller: Principal,
    @Param('contactId') contactId: string,
    @Query() query: ContactDecisionsQuery,
  ) {
    return this.service.workflowDecisions(caller.scope, { ...query, contact_id: contactId });
  }

  @Get('audit')
  @Read('ActionAuditLog', {
    says: 'Audit log of tool calls, newest first.',
    summary: 'Audit log',
    description:
      'Every MCP tool call of the company: who, when, which tool, how it ended, and hashes of input and output. Like get_action_audit_log.',
  })
  audit(@Caller() caller: Principal, @Query() query: AuditQuery) {
    return this.service.actionAuditLog(caller.scope, query);
  }
}
