export { AnalysisModule } from './analysis.module';
export { AnalysisService, type AnalysisRequest } from './analysis.service';
export { ENGINE_VERSION } from './engine-version';
export { CompanyDirectory } from './schedule/company-directory.service';
