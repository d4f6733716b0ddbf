import type { PlantedContradiction } from './planting';
import type { Document, Voice } from './voices';

const over = (way: Voice['way'], question: Voice['question']) => (voice: Voice) =>
  voice.way === way && voice.question === question;
const isOpen = ({ question, data }: Voice) =>
  question === 'RecipientIntelligence' &&
  data.next_best_action.decision_id !== null &&
  data.next_best_action.action !== 'stop' &&
  data.reply_likelihood.channel === data.next_best_action.channel;
const hasOpted = ({ question, data }: Voice) =>
  question === 'RecipientIntelligence' && data.can_contact === false;
/** About one campaign: the answer about all of them has other words. */
const isOfOne = ({ question, asked }: Voice) =>
  question === 'CampaignHealth' && asked.campaign_id !== undefined;
const hasFallen = ({ question, data, asked }: Voice) =>
  question === 'CampaignHealth' &&
  asked.campaign_id !== undefined &&
  asked.channel === undefined &&
  (data.issues as Document[]).some(({ code }) => code === 'replies_fell');

export const PLANTED_CONTRADICTIONS: readonly PlantedContradiction[] = [
  {
    name: 'drift_state rate, posteriors_trustworthy true, "may be acted upon", and an action "Do not act"',
    foundBy: 'flag, sentence, action and alerts say the same',
    where: (voice) =>
      over('REST', 'DriftState')(voice) &&
      voice.data.drift_state === 'rate' &&
      voice.data.posteriors_trustworthy,
    plant: (data) => (data.recommended_action = 'Do not act on get_bandit_state.'),
  },
  {
    name: 'drift says that posteriors may be acted upon, bandit in the same second that they may not',
    foundBy: 'one verdict in every answer',
    where: (voice) => voice.question === 'BanditState' && voice.data.posteriors_trustworthy,
    plant: (data) => (data.posteriors_trustworthy = false),
    inAll: true,
  },
  {
    name: 'contact and decision differ in the channel',
    foundBy: 'a contact is advised what was decided',
    where: isOpen,
    plant: (data) =>
      (data.next_best_action.channel = data.next_best_action.channel === 'email' ? 'linkedin' : 'email'),
    inAll: true,
  },
  {
    name: 'contact and decision differ in the action',
    foundBy: 'a contact is advised what was decided',
    where: isOpen,
    plant: (data) => (data.next_best_action.action = 'switch_channel'),
    inAll: true,
  },
  {
    name: 'contact and decision differ in the chance of a reply',
    foundBy: 'a contact is advised what was decided',
    where: isOpen,
    plant: (data) => (data.reply_likelihood.value *= 1.5),
    inAll: true,
  },
  {
    name: 'replies halved, and the campaign is healthy',
    foundBy: 'a campaign that fell with its channel is not healthy',
    where: hasFallen,
    plant: (data) => {
      data.status = 'healthy';
      data.issues = [];
    },
    inAll: true,
  },
  {
    name: 'recommendations quote the rates of before replies fell',
    foundBy: 'recommendations are worth what replies are worth since they changed',
    where: ({ question, data }) =>
      question === 'CampaignRecommendations' &&
      (data.recommendations as Document[]).some(({ effect }) => effect.level_since !== null),
    plant: (data) => {
      for (const { effect } of data.recommendations) {
        effect.level_since = null;
        effect.with_rate.value *= 2;
      }
    },
    inAll: true,
  },
  {
    name: 'sixteen years old, and fresh because it arrived today',
    foundBy: 'one run, one set of times',
    where: (voice, { plan }) => voice.question === 'BanditState' && plan.kind === 'of sixteen years ago',
    plant: (data) => (data.newest_outcome_at = data.data_as_of),
    inAll: true,
  },
  {
    name: 'a while without sending, analysed today, and "very stale"',
    foundBy: 'alerts about age are what the times say',
    where: (voice, { plan }) => voice.question === 'CampaignList' && plan.kind === 'quiet of late',
    plant: (data) => data.alerts.push('very_stale_data'),
    inAll: true,
  },
  {
    name: 'MCP has other fields than REST',
    foundBy: 'a question has the same fields over REST and over MCP',
    where: over('MCP', 'CampaignHealth'),
    plant: (data) => {
      delete data.replies.expected;
    },
  },
  {
    name: 'REST takes the 30th of February, MCP does not',
    foundBy: 'what is refused over REST is refused over MCP',
    where: ({ way, asked }) => way === 'REST' && String(asked.since).startsWith('2026-02-30'),
    plant: (_data, voice) => delete (voice as { refusal?: unknown }).refusal,
    atEdge: true,
  },
  {
    name: 'an opt-out is swallowed',
    foundBy: 'an opt-out is never lost, and nobody is known who was erased',
    where: (voice) => hasOpted(voice) && voice.data.block_reasons.includes('unsubscribed'),
    plant: (data) => {
      data.can_contact = true;
      data.block_reasons = [];
    },
    inAll: true,
  },
  {
    name: 'a stranger may be written to',
    foundBy: 'who must not be written to is not advised to be written to',
    where: ({ question, data }) => question === 'RecipientIntelligence' && data.can_contact === null,
    plant: (data) => {
      data.can_contact = true;
      data.next_best_action.action = 'send';
    },
    inAll: true,
  },
  {
    name: 'a summary quotes another rate than the field',
    foundBy: 'figures in words are those of the fields',
    where: (voice) => isOfOne(voice) && voice.data.reply_rate.n > 20,
    plant: (data) =>
      (data.summary = String(data.summary).replace(/Reply rate [\d.]+ %/, 'Reply rate 99.9 %')),
  },
  {
    name: 'outcomes of a campaign do not add up to its messages',
    foundBy: 'counts of a campaign add up',
    where: (voice) => isOfOne(voice) && voice.data.sample_size > 0,
    plant: (data) => (data.outcomes.no_response += 1),
  },
];
