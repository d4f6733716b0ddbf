/** The tools of the MCP server, in the order in which they are listed. */
export const TOOL_NAMES = [
  'get_campaign_health',
  'get_campaign_recommendations',
  'get_bandit_state',
  'get_drift_state',
  'get_workflow_decisions',
  'get_recipient_intelligence',
  'get_action_audit_log',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];
