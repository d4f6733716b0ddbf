import { runTracedMain } from '@outcomes/platform/tracing';

runTracedMain('mcp-gateway', () => import('./start.js'));
