import 'reflect-metadata';
import { startWorker } from '@outcomes/platform/worker';
import { analysisWorkerConfig } from './analysis-worker.config';
import { AnalysisWorkerModule } from './analysis-worker.module';

/** Starts the service; loaded by main.ts when traces, where there are any, have begun. */
export function start() {
  const config = analysisWorkerConfig();
  return startWorker('analysis-worker', config, (platform) =>
    AnalysisWorkerModule.register(platform, config),
  );
}
