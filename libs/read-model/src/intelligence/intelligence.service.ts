import { Inject, Injectable } from '@nestjs/common';
import type {
  ActionAuditLog,
  ActionAuditLogQuery,
  BanditState,
  BanditStateQuery,
  Calibration,
  CampaignHealth,
  CampaignHealthQuery,
  CampaignList,
  CampaignListQuery,
  CampaignRecommendations,
  CampaignRecommendationsQuery,
  DriftState,
  DriftStateQuery,
  RecipientIntelligence,
  RecipientIntelligenceQuery,
  WorkflowDecisions,
  WorkflowDecisionsQuery,
} from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { CampaignHealthService } from '../campaigns/campaign-health.service';
import { CampaignListService } from '../campaigns/campaign-list.service';
import { ActionAuditLogService } from './action-audit-log.service';
import { BanditStateService } from './bandit-state.service';
import { CalibrationService } from './calibration.service';
import { CampaignRecommendationsService } from './campaign-recommendations.service';
import { DriftStateService } from './drift-state.service';
import { RecipientIntelligenceService } from './recipient-intelligence.service';
import { roundedAnswer } from './rounded-answer';
import { WorkflowDecisionsService } from './workflow-decisions.service';

/**
 * The seven questions, and the list of campaigns. Each answer is the complete result document: MCP returns it, REST puts it into its
 * envelope. Numbers are rounded here, by one rule. Every method throws AppError INVALID_PARAMETER (with `parameter`) for a bad argument, and
 * SERVICE_UNAVAILABLE while Postgres is away.
 */
@Injectable()
export class IntelligenceService {
  constructor(
    @Inject(CampaignHealthService) private readonly health: CampaignHealthService,
    @Inject(CampaignListService) private readonly list: CampaignListService,
    @Inject(CampaignRecommendationsService) private readonly recommendations: CampaignRecommendationsService,
    @Inject(BanditStateService) private readonly bandit: BanditStateService,
    @Inject(DriftStateService) private readonly drift: DriftStateService,
    @Inject(WorkflowDecisionsService) private readonly decisions: WorkflowDecisionsService,
    @Inject(RecipientIntelligenceService) private readonly recipient: RecipientIntelligenceService,
    @Inject(ActionAuditLogService) private readonly auditLog: ActionAuditLogService,
    @Inject(CalibrationService) private readonly calibrations: CalibrationService,
  ) {}

  async campaignHealth(scope: TenantScope, query: CampaignHealthQuery): Promise<CampaignHealth> {
    return roundedAnswer(await this.health.answer(scope, query));
  }

  async campaigns(scope: TenantScope, query: CampaignListQuery): Promise<CampaignList> {
    return roundedAnswer(await this.list.answer(scope, query));
  }

  async campaignRecommendations(
    scope: TenantScope,
    query: CampaignRecommendationsQuery,
  ): Promise<CampaignRecommendations> {
    return roundedAnswer(await this.recommendations.answer(scope, query));
  }

  async banditState(scope: TenantScope, query: BanditStateQuery): Promise<BanditState> {
    return roundedAnswer(await this.bandit.answer(scope, query));
  }

  async driftState(scope: TenantScope, query: DriftStateQuery): Promise<DriftState> {
    return roundedAnswer(await this.drift.answer(scope, query));
  }

  async workflowDecisions(scope: TenantScope, query: WorkflowDecisionsQuery): Promise<WorkflowDecisions> {
    return roundedAnswer(await this.decisions.answer(scope, query));
  }

  async recipientIntelligence(
    scope: TenantScope,
    query: RecipientIntelligenceQuery,
  ): Promise<RecipientIntelligence> {
    return roundedAnswer(await this.recipient.answer(scope, query));
  }

  async actionAuditLog(scope: TenantScope, query: ActionAuditLogQuery): Promise<ActionAuditLog> {
    return roundedAnswer(await this.auditLog.answer(scope, query));
  }

  /** How the probabilities that were stated with decisions came out. */
  async calibration(scope: TenantScope): Promise<Calibration> {
    return roundedAnswer(await this.calibrations.answer(scope));
  }
}
