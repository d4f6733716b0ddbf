import { Module } from '@nestjs/common';
import { AuditLogRepository } from './audit/audit-log.repository';
import { CampaignHealthService } from './campaigns/campaign-health.service';
import { CampaignListService } from './campaigns/campaign-list.service';
import { DecisionRepository } from './decisions/decision.repository';
import { ActionAuditLogService } from './intelligence/action-audit-log.service';
import { BanditStateService } from './intelligence/bandit-state.service';
import { CalibrationService } from './intelligence/calibration.service';
import { CampaignRecommendationsService } from './intelligence/campaign-recommendations.service';
import { DriftStateService } from './intelligence/drift-state.service';
import { IntelligenceService } from './intelligence/intelligence.service';
import { RecipientIntelligenceService } from './intelligence/recipient-intelligence.service';
import { WorkflowDecisionsService } from './intelligence/workflow-decisions.service';
import { PatternsService } from './patterns/patterns.service';
import { RunRepository } from './runs/run.repository';
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
    ResponderRepository,
    RunRepository,
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
