import { runTracedMain } from '@outcomes/platform/tracing';

runTracedMain('ingest-api', () => import('./start.js'));
