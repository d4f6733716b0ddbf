import type { AlertCode, NumberSource, ToolName } from '@outcomes/contracts';

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

/**
 * What limits the numbers of a page, for people. Left out are alerts that tell agents of the answer itself (a page ended, a
 * quota), and those that pages say in their own words: blocks, issues of a campaign, relearning and old outcomes.
 */
const LIMITS: Partial<Readonly<Record<AlertCode, string>>> = {
  source_silent:
    'A tool that delivers by webhook has stopped: numbers rest on what was sent up to two weeks before. Repair it, or import what it missed.',
  silence_not_reported:
    'No message on record went unanswered, so what was sent without a reply is not reported: no rate here is a reply rate. Report every message that is sent.',
  late_replies:
    'Many replies come after messages have settled (email 14 days, LinkedIn 21): rates of changes, of what patterns compare and of the backtest are too low, others allow for replies still to come as they have come so far.',
  last_run_failed: 'The newest analysis failed: these are the numbers of an earlier one.',
  stale_data: 'Nothing has come in for 48 hours.',
  very_stale_data: 'Nothing has come in for 7 days.',
  stale_analysis: 'The last analysis is over 48 hours old.',
  stale_outcomes: 'The newest outcome is over 8 days old: check that outcomes are sent.',
  drift_detected: 'Replies on a channel have changed: numbers rest on what came since. See Drift.',
  channel_left_idle:
    'Nothing was sent for 30 days on a channel that is spoken of here: its numbers tell how it was then.',
  borrowed_prior: 'Over half of an estimate is borrowed, not from own outcomes.',
  small_sample: 'A number rests on fewer than 30 outcomes: read its interval.',
  very_small_sample: 'A number rests on fewer than 10 outcomes: do not act on it.',
  position_low_confidence: 'The position is a guess.',
  predictions_off: 'What is stated and what came differ: see Calibration.',
  decisions_overtaken:
    'A decision here says to write to somebody who has opted out or bounced since: look the contact up first.',
};

/** Of the alerts of an answer those that limit what people read, each as a sentence. */
export const limitsInWords = (alerts: readonly string[]) =>
  alerts.flatMap((alert) => LIMITS[alert as AlertCode] ?? []);
