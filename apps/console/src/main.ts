import { runTracedMain } from '@outcomes/platform/tracing';

runTracedMain('console', () => import('./start.js'));
