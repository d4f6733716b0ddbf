import { Module } from '@nestjs/common';
import { AnalysisService } from './analysis.service';
import { CohortRepository } from './cohorts/cohort.repository';
import { ResponderRepository } from './recipients/responder.repository';
import { AnalysisRunRepository } from './runs/analysis-run.repository';
import { CompanyDirectory } from './schedule/company-directory.service';

/** Needs PlatformModule and PersistenceModule beside it, both global. */
@Module({
  providers: [
    AnalysisService,
    CohortRepository,
    ResponderRepository,
    AnalysisRunRepository,
    CompanyDirectory,
  ],
  exports: [AnalysisService, CompanyDirectory],
})
export class AnalysisModule {}
