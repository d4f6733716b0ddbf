import { runTracedMain } from '@outcomes/platform/tracing';

runTracedMain('read-api', () => import('./start.js'));
