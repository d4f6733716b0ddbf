import { orSpoken, within, type Rule } from './comparing';
import type { Document, Voice } from './voices';

const inPercent = (share: number): number => share * 100;

/** A sentence of a summary: what it says with figures, and the fields that say the same. */
interface Prose {
  readonly question: Voice['question'];
  readonly words: RegExp;
  readonly fields: (data: Document) => readonly unknown[];
}

const countOf = (list: readonly Document[], holds: (item: Document) => boolean): string =>
  String(list.filter(holds).length);

const PROSE: readonly Prose[] = [
  {
    question: 'BanditState',
    words:
      /^(\d+) arms?; the best mean is (\w+) to (\w+) with a reply rate of ([\d.]+) % \(95 % interval ([\d.]+) % to ([\d.]+) %\), the best of these with probability ([\d.]+) %/,
    fields: ({ arm_count, arms: [best] }) => [
      String(arm_count),
      best.channel,
      best.position,
      ...[best.posterior_mean, best.ci_low, best.ci_high, best.probability_best].map(inPercent),
    ],
  },
  {
    question: 'DriftState',
    words: /^(\d+) channels? looked at, (\d+) changes? on record/,
    fields: ({ tests, changes }) => [
      countOf(tests, ({ statistic }) => statistic !== null),
      String(changes.length),
    ],
  },
  {
    question: 'CampaignRecommendations',
    words: /^(\d+) recommendations?: (\d+) confirmed, (\d+) likely, (\d+) directional/,
    fields: ({ recommendation_count, by_evidence_tier: { confirmed, likely, directional } }) =>
      [recommendation_count, confirmed, likely, directional].map(String),
  },
  {
    question: 'CampaignRecommendations',
    words: /more replies in (\d+) days .* at (\d+) messages?\./,
    fields: ({ volume }) => [String(volume.days), String(volume.messages)],
  },
  {
    question: 'CampaignHealth',
    words: /^Status (\w+) over (\d+) settled messages?, (\d+) reasons?\./,
    fields: ({ status, sample_size, issues }) => [status, String(sample_size), String(issues.length)],
  },
  {
    question: 'CampaignHealth',
    words: /Reply rate ([\d.]+) % \(95 % interval ([\d.]+) % to ([\d.]+) %, n = (\d+)\)/,
    fields: ({ reply_rate: { value, ci_low, ci_high, n } }) => [
      ...[value, ci_low, ci_high].map(inPercent),
      String(n),
    ],
  },
  {
    question: 'CampaignHealth',
    words: /That is ([\d.]+) of what such an audience gives/,
    fields: ({ replies }) => [replies.ratio],
  },
  {
    question: 'CampaignHealth',
    words: /(\d+) messages? not settled yet/,
    fields: ({ pending }) => [String(pending)],
  },
  {
    question: 'CampaignList',
    words: /^(\d+) campaigns?, (\d+) on this page/,
    fields: ({ campaign_count, campaigns }) => [String(campaign_count), String(campaigns.length)],
  },
  {
    question: 'WorkflowDecisions',
    words: /^(\d+) decisions? match; the (\d+) on this page: .*?\. (\d+) chosen to learn\./,
    fields: ({ decision_count, decisions }) => [
      String(decision_count),
      String(decisions.length),
      countOf(decisions, ({ exploration }) => exploration),
    ],
  },
  {
    question: 'WorkflowDecisions',
    words: /Of (\d+) that have settled, (\d+) got a reply/,
    fields: ({ decisions }) => [
      countOf(decisions, ({ settled }) => settled === true),
      countOf(decisions, ({ outcome }) => outcome === 'responded'),
    ],
  },
  {
    question: 'RecipientIntelligence',
    words: /^(\d+) messages? on record/,
    fields: ({ history }) => [String(history.events)],
  },
  {
    question: 'RecipientIntelligence',
    words: /Reply likelihood ([\d.]+) %.*, from (\w+) data/,
    fields: ({ reply_likelihood: { value, data_source } }) => [inPercent(value), data_source],
  },
  {
    question: 'RecipientIntelligence',
    words: /Next: (\w+)/,
    fields: ({ next_best_action }) => [next_best_action.action],
  },
  {
    question: 'RecipientIntelligence',
    words: /as decided on ([\d-]+)/,
    fields: ({ next_best_action }) => [next_best_action.decided_at?.slice(0, 10)],
  },
  {
    question: 'Calibration',
    words: /^(\d+) predictions? settled: (\d+) replies came, ([\d.]+) were expected/,
    fields: ({ predictions, observed_replies, expected_replies }) =>
      [predictions, observed_replies, expected_replies].map(String),
  },
  {
    question: 'ActionAuditLog',
    words: /^(\d+) calls? in the audit log, (\d+) on this page; ([\d.]+) % failed/,
    fields: ({ total_count, entry_count, error_rate }) => [
      ...[total_count, entry_count].map(String),
      inPercent(error_rate),
    ],
  },
];

/** What a sentence says in figures, the fields beside it say. */
export const RULES_OF_PROSE: readonly Rule[] = [
  within('figures in words are those of the fields', function* ({ question, data }) {
    if (typeof data?.summary !== 'string') return;
    for (const [index, prose] of PROSE.entries()) {
      if (prose.question !== question) continue;
      const [, ...said] = prose.words.exec(data.summary as string) ?? [];
      if (said.length === 0) continue;
      const fields = prose.fields(data);
      yield [`sentence ${index}`, said, fields.map((field, at) => orSpoken(said[at], field))];
    }
  }),
];
