import { Module } from '@nestjs/common';
import { AuditLogRepository } from './action-audit-log/audit-log.repository';
import { DecisionRepository } from './decisions/decision.repository';
import { ANSWERED_BY } from './answers/answered-by';
import { Answers } from './answers/answers.service';
import { PatternsService } from './patterns/patterns.service';
import { RunRepository } from './runs/run.repository';
import { DailySeriesService } from './daily-series/daily-series.service';
import { SnapshotCache } from './snapshots/snapshot-cache.service';
import { SnapshotRepository } from './snapshots/snapshot.repository';
import { ClaimRecords } from './claims/claim-record.service';
import { CampaignRepository } from './touches/campaign.repository';
import { CohortRepository } from './touches/cohort.repository';
import { SuppressionListRepository } from './suppressions/suppression-list.repository';
import { DependencyStatusRepository } from './status/dependency-status.repository';
import { CompletionRepository } from './touches/completion.repository';
import { ContactList } from './workflow-decisions/contact-list.service';
import { WorkflowDecisionsService } from './workflow-decisions/workflow-decisions.service';
import { CampaignOverview } from './campaign-health/campaign-overview.service';
import { ContactRepository } from './touches/contact.repository';
import { ResponderRepository } from './touches/responder.repository';

/** The one read model behind both interfaces. Needs PlatformModule and PersistenceModule in the app. */
@Module({
  providers: [
    AuditLogRepository,
    CampaignOverview,
    CampaignRepository,
    ClaimRecords,
    CohortRepository,
    CompletionRepository,
    ContactList,
    ContactRepository,
    DailySeriesService,
    DecisionRepository,
    DependencyStatusRepository,
    ResponderRepository,
    RunRepository,
    SnapshotCache,
    SnapshotRepository,
    SuppressionListRepository,
    PatternsService,
    Answers,
    ...Object.values(ANSWERED_BY),
  ],
  exports: [
    ClaimRecords,
    CompletionRepository,
    DailySeriesService,
    DependencyStatusRepository,
    Answers,
    PatternsService,
    SnapshotRepository,
    WorkflowDecisionsService,
  ],
})
export class ReadModelModule {}
