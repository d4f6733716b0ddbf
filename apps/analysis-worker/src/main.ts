import 'reflect-metadata';
import { runMain, startWorker } from '@outcomes/platform';
import { analysisWorkerConfig } from './analysis-worker.config';
import { AnalysisWorkerModule } from './analysis-worker.module';

runMain('analysis-worker', () => {
  const config = analysisWorkerConfig();
  return startWorker('analysis-worker', config, (platform) =>
    AnalysisWorkerModule.register(platform, config),
  );
});
