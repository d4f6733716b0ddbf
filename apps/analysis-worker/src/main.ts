import { runTracedMain } from '@outcomes/platform/tracing';

runTracedMain('analysis-worker', () => import('./start.js'));
