import type { NumberSource, ToolName } from '@outcomes/contracts';

/** Codes that need more than a space for each underscore. */
const CODE_WORDS: Readonly<Record<string, string>> = {
  email: 'e-mail',
  linkedin: 'LinkedIn',
  c_suite: 'C-suite',
  vp: 'VP',
};

/** A code of the service as people read it: a channel, a position, an action, an outcome, a reason. */
export const inWords = (code: string) => CODE_WORDS[code] ?? code.replaceAll('_', ' ');

/** What an administrator did: "person: change role" of `person.change_role`. */
export const actInWords = (action: string) => inWords(action.replace('.', ': '));

const SOURCE_WORDS: Readonly<Record<NumberSource, string>> = {
  own: 'its own outcomes',
  segment: 'outcomes of its segment',
  company: 'outcomes of the company',
  prior: 'no outcomes of the company',
};

/** What a number of one contact or campaign rests on. */
export const sourceInWords = (source: string) => SOURCE_WORDS[source as NumberSource] ?? inWords(source);

/** Where people find what agents ask a tool for. */
const PAGE_OF_TOOL: Readonly<Record<ToolName, string>> = {
  get_campaign_health: 'Campaigns',
  get_campaign_recommendations: 'Findings',
  get_bandit_state: 'Rates',
  get_drift_state: 'Drift',
  get_workflow_decisions: 'Decisions',
  get_recipient_intelligence: 'Contacts',
  get_action_audit_log: 'Audit',
};

/** An advice that names tools with the pages that show the same: "See Drift" of "See get_drift_state". */
export const forPeople = (advice: string) =>
  advice.replaceAll(/get_[a-z_]+/g, (tool) => PAGE_OF_TOOL[tool as ToolName] ?? tool);
