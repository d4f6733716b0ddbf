import type { Type } from '@nestjs/common';
import type { Answer, Arguments, QuestionName, QuestionNamed, ResultFrame } from '@outcomes/contracts';
import type { TenantScope } from '@outcomes/tenancy';
import { ActionAuditLogService } from '../action-audit-log/action-audit-log.service';
import { BanditStateService } from '../bandit-state/bandit-state.service';
import { CalibrationService } from '../calibration/calibration.service';
import { CampaignHealthService } from '../campaign-health/campaign-health.service';
import { CampaignListService } from '../campaign-list/campaign-list.service';
import { CampaignRecommendationsService } from '../campaign-recommendations/campaign-recommendations.service';
import { DriftStateService } from '../drift-state/drift-state.service';
import { RecipientIntelligenceService } from '../recipient-intelligence/recipient-intelligence.service';
import { SuppressionsService } from '../suppressions/suppressions.service';
import { WorkflowDecisionsService } from '../workflow-decisions/workflow-decisions.service';

/** The questions whose results begin with the common fields: those of agents. */
export type AnsweredName = {
  [Name in QuestionName]: Answer<QuestionNamed<Name>> extends ResultFrame ? Name : never;
}[QuestionName];

/** What answers one question, with arguments that have been judged. */
export interface QuestionService<Name extends QuestionName> {
  answer(scope: TenantScope, given: Arguments<QuestionNamed<Name>>): Promise<Answer<QuestionNamed<Name>>>;
}

/** Who answers each question. A new one is a new line here; the compiler asks for it. */
export const ANSWERED_BY = {
  CampaignList: CampaignListService,
  CampaignHealth: CampaignHealthService,
  CampaignRecommendations: CampaignRecommendationsService,
  BanditState: BanditStateService,
  DriftState: DriftStateService,
  WorkflowDecisions: WorkflowDecisionsService,
  RecipientIntelligence: RecipientIntelligenceService,
  ActionAuditLog: ActionAuditLogService,
  Calibration: CalibrationService,
  Suppressions: SuppressionsService,
} as const satisfies { readonly [Name in AnsweredName]: Type<QuestionService<Name>> };
