import { Module } from '@nestjs/common';
import { AuditLogRepository } from './action-audit-log/audit-log.repository';
import { CampaignHealthService } from './campaign-health/campaign-health.service';
import { CampaignListService } from './campaign-list/campaign-list.service';
import { DecisionRepository } from './decisions/decision.repository';
import { FreshnessRepository } from './freshness/freshness.repository';
import { ActionAuditLogService } from './action-audit-log/action-audit-log.service';
import { BanditStateService } from './bandit-state/bandit-state.service';
import { CalibrationService } from './calibration/calibration.service';
import { CampaignRecommendationsService } from './campaign-recommendations/campaign-recommendations.service';
import { DriftStateService } from './drift-state/drift-state.service';
import { IntelligenceService } from './answers/intelligence.service';
import { RecipientIntelligenceService } from './recipient-intelligence/recipient-intelligence.service';
import { WorkflowDecisionsService } from './workflow-decisions/workflow-decisions.service';
import { PatternsService } from './patterns/patterns.service';
import { SnapshotCache } from './snapshots/snapshot-cache.service';
import { SnapshotRepository } from './snapshots/snapshot.repository';
import { CampaignRepository } from './touches/campaign.repository';
import { CohortRepository } from './touches/cohort.repository';
import { DependencyStatusRepository } from './status/dependency-status.repository';
import { CompletionRepository } from './touches/completion.repository';
import { ContactRepository } from './touches/contact.repository';
import { ResponderRepository } from './touches/responder.repository';

/** The one read model behind both faces. Needs PlatformModule and PersistenceModule in the app. */
@Module({
  providers: [
    AuditLogRepository,
    CampaignRepository,
    CohortRepository,
    CompletionRepository,
    ContactRepository,
    DecisionRepository,
    DependencyStatusRepository,
    FreshnessRepository,
    ResponderRepository,
    SnapshotCache,
    SnapshotRepository,
    ActionAuditLogService,
    BanditStateService,
    CalibrationService,
    CampaignHealthService,
    CampaignListService,
    CampaignRecommendationsService,
    DriftStateService,
    IntelligenceService,
    PatternsService,
    RecipientIntelligenceService,
    WorkflowDecisionsService,
  ],
  exports: [
    CompletionRepository,
    DependencyStatusRepository,
    IntelligenceService,
    PatternsService,
    SnapshotRepository,
  ],
})
export class ReadModelModule {}
