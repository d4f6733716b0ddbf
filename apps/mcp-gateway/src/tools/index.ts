import type { Tool } from './definition';
import { getActionAuditLog } from './get-action-audit-log.tool';
import { getBanditState } from './get-bandit-state.tool';
import { getCampaignHealth } from './get-campaign-health.tool';
import { getCampaignRecommendations } from './get-campaign-recommendations.tool';
import { getDriftState } from './get-drift-state.tool';
import { getRecipientIntelligence } from './get-recipient-intelligence.tool';
import { getWorkflowDecisions } from './get-workflow-decisions.tool';

/** In the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  getCampaignHealth,
  getCampaignRecommendations,
  getBanditState,
  getDriftState,
  getWorkflowDecisions,
  getRecipientIntelligence,
  getActionAuditLog,
];
