import { alike, nameOf, within, type Pair, type Rule } from './comparing';
import { hasOptedOut, messagesTo, outcomesOf, wasWrittenToUnheard } from './messages-of-a-person';
import type { Document, Said, Voice } from './voices';

const contactAsked = ({ asked }: Voice): string => String(asked.contact_id);

/** The newest decision about each contact, among those that were read. */
function newestDecisions({ voices }: Said): Map<string, Document> {
  const newest = new Map<string, Document>();
  for (const { question, data } of voices)
    if (question === 'WorkflowDecisions')
      for (const decision of data.decisions as Document[]) {
        const known = newest.get(String(decision.contact_id));
        if (known === undefined || known.decided_at < decision.decided_at)
          newest.set(String(decision.contact_id), decision);
      }
  return newest;
}

/** Whom to write to and whom not, and what to do: the same by contact as by decision. */
export const RULES_OF_CONTACTS: readonly Rule[] = [
  alike('leave to write is one, wherever it is asked for', function* ({ question, data }) {
    if (question === 'RecipientIntelligence' && data.known) {
      yield [`${data.contact_id}: can_contact`, data.can_contact];
      yield [`${data.contact_id}: block_reasons`, data.block_reasons];
    }
    if (question === 'WorkflowDecisions')
      for (const { contact_id, can_contact, block_reasons } of data.decisions) {
        yield [`${contact_id}: can_contact`, can_contact];
        yield [`${contact_id}: block_reasons`, block_reasons];
      }
  }),
  alike('a decision is the same wherever it stands', function* ({ question, data }) {
    if (question === 'WorkflowDecisions')
      for (const decision of data.decisions) yield [`decision ${decision.decision_id}`, decision];
  }),
  {
    name: 'a contact is advised what was decided',
    *pairs(said): Generator<Pair> {
      const newest = newestDecisions(said);
      const byId = new Map([...newest.values()].map((decision) => [decision.decision_id, decision]));
      for (const voice of said.voices) {
        if (voice.question !== 'RecipientIntelligence') continue;
        const { next_best_action: advice, can_contact, reply_likelihood, contact_id } = voice.data;
        const what = nameOf(voice);
        const decision = byId.get(advice.decision_id);
        const current = newest.get(String(contact_id));
        if (advice.decision_id !== null) {
          yield { what: `${what}: newest`, one: advice.decision_id, other: current?.decision_id };
          for (const field of ['action', 'rationale', 'pattern_codes', 'not_before', 'decided_at'])
            yield { what: `${what}: ${field}`, one: advice[field], other: decision?.[field] };
          if (advice.action === 'stop') continue;
          for (const field of ['channel', 'sequence_step'])
            yield { what: `${what}: ${field}`, one: advice[field], other: decision?.[field] };
          if (reply_likelihood.channel !== advice.channel) continue;
          const { value, ci_low, ci_high, data_source } = reply_likelihood;
          const stated = { ...decision?.reply_probability, data_source: decision?.data_source };
          yield { what: `${what}: likelihood`, one: { value, ci_low, ci_high, data_source }, other: stated };
        } else {
          // What was not decided is no reason to write; nor is a decision that stands left unsaid.
          yield { what: `${what}: action`, one: ['stop', 'wait'].includes(advice.action), other: true };
          if (can_contact !== true || current === undefined) continue;
          const isOvertaken =
            current.followed !== null ||
            current.action === 'stop' ||
            wasWrittenToUnheard(said, String(contact_id));
          const hasReplied = voice.data.history.outcomes.responded > 0;
          yield { what: `${what}: a decision stands`, one: isOvertaken || hasReplied, other: true };
        }
      }
    },
  },
  within('an answer about a channel is about that channel', function* ({ question, data, asked }) {
    if (question !== 'RecipientIntelligence') return;
    const { channel, value } = data.reply_likelihood;
    const { action, channel: advised } = data.next_best_action;
    if (asked.channel === undefined && action !== 'stop' && advised !== null)
      yield ['likelihood', channel, advised];
    if (asked.channel !== undefined && channel !== null) yield ['likelihood', channel, asked.channel];
    if (value === null) yield ['nothing known', data.reply_likelihood.data_source, 'prior'];
  }),
  within('who must not be written to is not advised to be written to', function* ({ question, data }) {
    if (question !== 'RecipientIntelligence') return;
    const { known, can_contact, block_reasons, next_best_action: advice, alerts } = data;
    yield ['blocked', block_reasons.length > 0, can_contact === false];
    yield ['unknown', known, can_contact !== null];
    if (can_contact === false) yield ['action', advice.action, 'stop'];
    if (can_contact === null) yield ['action', advice.action, 'wait'];
    for (const reason of ['unsubscribed', 'bounced'])
      yield [`alert ${reason}`, alerts.includes(`contact_${reason}`), block_reasons.includes(reason)];
    yield ['alert unknown', alerts.includes('contact_unknown'), !known];
  }),
  {
    name: 'an opt-out is never lost, and nobody is known who was erased',
    *pairs(said): Generator<Pair> {
      for (const voice of said.voices) {
        if (voice.question !== 'RecipientIntelligence') continue;
        const { block_reasons, history, known } = voice.data;
        const contact = contactAsked(voice);
        const optedOut = hasOptedOut(said, contact);
        const kept = outcomesOf(
          messagesTo(said, contact).filter(({ recipient }) => !said.plan.erased.has(recipient)),
        );
        const what = nameOf(voice);
        yield { what, one: block_reasons.includes('unsubscribed'), other: optedOut };
        yield { what: `${what}: messages`, one: history.events, other: kept.length };
        yield { what: `${what}: known`, one: known, other: kept.length > 0 || block_reasons.length > 0 };
        for (const outcome of ['responded', 'no_response', 'bounced', 'unsubscribed'] as const) {
          const came = kept.filter((one) => one === outcome).length;
          yield { what: `${what}: ${outcome}`, one: history.outcomes[outcome], other: came };
        }
      }
    },
  },
  within('pages of decisions add up', function* ({ question, data, asked }) {
    if (question !== 'WorkflowDecisions') return;
    const { decision_count, decisions, next_cursor, alerts } = data;
    yield ['truncated', alerts.includes('results_truncated'), next_cursor !== null];
    if (asked.cursor === undefined && next_cursor === null) yield ['count', decision_count, decisions.length];
    const times = (decisions as Document[]).map(({ decided_at }) => String(decided_at));
    yield ['newest first', times, [...times].sort().reverse()];
    for (const { contact_id } of decisions)
      if (asked.contact_id !== undefined) yield ['contact', contact_id, asked.contact_id];
    const overtaken = (decisions as Document[]).some(
      (one) => one.can_contact === false && one.action !== 'stop',
    );
    yield ['overtaken', alerts.includes('decisions_overtaken'), overtaken];
  }),
];
