// @ts-check
// Preloaded into the MCP gateway: what Postgres and Redis would be asked for each call is answered from memory, so
// that what remains is the gateway's own work.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import { documents } from './mcp-documents.mjs';

const require = createRequire(join(root, 'apps/mcp-gateway/package.json'));
const { AuditWriter } = require('@outcomes/audit');
const { Limiter } = require('@outcomes/limits');
const { Answers } = require('@outcomes/read-model');

AuditWriter.prototype.record = async () => {};
Limiter.prototype.consume = async () => ({
  ...{ limit: 200, remaining: 199, resetSeconds: 900, policy: '200;w=900' },
  ...{ quotaLimit: 1_000, quotaUsed: 1, quotaResetSeconds: 86_400, month: 24_314 },
});
/** @type {Readonly<Record<string, string>>} */
const TOOLS = { BanditState: 'get_bandit_state', DriftState: 'get_drift_state' };
/** @param {string} name @returns {Promise<any>} */
Answers.prototype.answer = async (name) => ({
  ...documents[TOOLS[name] ?? ''],
  as_of: new Date().toISOString(),
});
