import { createHash } from 'node:crypto';
import type { Outcome } from '@outcomes/contracts';
import type { Document } from '../voices/voices';
import { choice, yesOrNo, type Ask, type Told, type ToolCall } from './eval-question';
import type { EvalCompany } from './planted-truth';

const STRANGER = 'nobody-heard-of';
const ADVICE: ToolCall = { name: 'get_campaign_recommendations', arguments: {} };
const LOG: ToolCall = { name: 'get_action_audit_log', arguments: { limit: 1 } };

const contact = (contact_id: string): ToolCall => ({
  name: 'get_recipient_intelligence',
  arguments: { contact_id },
});

const mayWrite = ({ can_contact }: Document): Told =>
  can_contact === null ? undefined : yesOrNo(can_contact === true);

/** Whether direct texts get more replies: only what is more than a hint is told. */
function directHelps({ recommendations }: Document): Told {
  const found = (recommendations as Document[]).find(({ code }) => code === 'TA-1');
  return found && found.tier > 1 ? yesOrNo(found.positive === true) : undefined;
}

/** Which channel is best for a position, where that is as good as certain. */
function bestChannel({ arms, posteriors_trustworthy }: Document): Told {
  const [best] = arms as Document[];
  return posteriors_trustworthy && best?.probability_best > 0.95 ? best.channel : undefined;
}

/** Whether messages to a contact that is known say that it may be written to. */
const leaveTo =
  (outcome: Outcome, right: string): Ask =>
  (truth) => {
    const who = truth.contactWith(outcome);
    return {
      asker: 'salesperson',
      text: `May I write to ${who}?`,
      form: 'yes or no',
      calls: [contact(who)],
      read: mayWrite,
      isRight: choice(right),
    };
  };

export const questionsOfSalespeople = (company: EvalCompany): readonly Ask[] => [
  leaveTo('no_response', 'yes'),
  (truth) => {
    const who = truth.contactWith('responded');
    return {
      asker: 'salesperson',
      text: `What should I do next about ${who}: send, wait, switch_channel or stop the sequence?`,
      form: 'send, wait, switch_channel or stop',
      calls: [contact(who)],
      read: ({ next_best_action }) => next_best_action.action,
      isRight: choice('stop'),
    };
  },
  () => ({
    asker: 'salesperson',
    text: `May I write to ${STRANGER}?`,
    form: 'yes or no',
    calls: [contact(STRANGER)],
    read: mayWrite,
    isRight: choice(undefined),
  }),
  ...(company === 'one campaign gone bad' ? [leaveTo('unsubscribed', 'no'), leaveTo('bounced', 'no')] : []),
  ...(company === 'just changed' || company === 'new'
    ? [
        (): ReturnType<Ask> => ({
          asker: 'salesperson',
          text: 'Is it proved or likely that texts in a direct tone get more replies?',
          form: 'yes or no',
          calls: [ADVICE],
          read: directHelps,
          isRight: choice(company === 'new' ? undefined : 'yes'),
        }),
      ]
    : []),
  ...(company === 'healthy' || company === 'new'
    ? [
        (): ReturnType<Ask> => ({
          asker: 'salesperson',
          text: 'Which channel surely gets more replies from VPs, email or linkedin?',
          form: 'email or linkedin',
          calls: [{ name: 'get_bandit_state', arguments: { position: 'VP Sales' } }],
          read: bestChannel,
          // Both were planted with the same chance.
          isRight: choice(undefined),
        }),
      ]
    : []),
];

export const questionsOfAuditors = (): readonly Ask[] => [
  () => ({
    asker: 'auditor',
    text: 'How many tool calls are on record before this question?',
    form: 'a whole number',
    calls: [LOG],
    read: ({ total_count }) => total_count,
    isRight: (told, callsBefore) => told === callsBefore,
  }),
  (truth) => ({
    asker: 'auditor',
    text: 'On what day did the run end that made the numbers?',
    form: 'a date, YYYY-MM-DD',
    calls: [LOG],
    read: ({ analysed_at }) => analysed_at?.slice(0, 10),
    isRight: choice(new Date(truth.plan.analysedAt.at(-1) ?? 0).toISOString().slice(0, 10)),
  }),
];

/** Of one company: a proof is a long answer. */
export const questionsOfProof: Partial<Readonly<Record<EvalCompany, readonly Ask[]>>> = {
  healthy: [
    () => ({
      asker: 'auditor',
      text: 'Is the newest decision what its frozen bytes say: does the SHA-256 of its inputs match?',
      form: 'yes or no',
      calls: [{ name: 'get_workflow_decisions', arguments: { limit: 1, include_replay: true } }],
      read: ({ decisions: [newest] }) => newest && yesOrNo(isProved(newest.replay)),
      isRight: choice('yes'),
    }),
    () => ({
      asker: 'auditor',
      text: 'Was any call of another company refused?',
      form: 'yes or no',
      calls: [LOG],
      read: ({ alerts }) => yesOrNo(alerts.includes('denied_attempts_present')),
      isRight: choice('no'),
    }),
  ],
};

const isProved = ({ inputs, inputs_sha256 }: Document): boolean =>
  createHash('sha256').update(String(inputs)).digest('hex') === inputs_sha256;
