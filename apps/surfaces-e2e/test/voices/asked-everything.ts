import {
  CHANNELS,
  METRICS,
  OPERATIONAL_ANALYSES,
  questionNamed,
  QUESTIONS,
  type QuestionName,
} from '@outcomes/contracts';
import { askedWrongly } from './asked-wrongly';
import type { PlannedCompany } from './planned-company';
import { call, read, type Asked, type Said, type Surfaces, type Voice } from './voices';

/** Contacts and campaigns that are asked about one by one. */
const MAX_CONTACTS = 5;
const MAX_CAMPAIGNS = 3;
/** Refusals are the same for every company: one in so many is asked wrongly too. */
const ASKED_WRONGLY_EVERY = 10;
/** Pages of decisions that are read; a company with more decisions is asked about those. */
const MAX_PAGES = 8;
const A_YEAR = 365;
export const STRANGER = 'nobody-heard-of';

/** Asks every question over every way in, in all the forms that another answer speaks of too. */
export async function askedEverything(
  surfaces: Surfaces,
  companyId: string,
  plan: PlannedCompany,
): Promise<Said> {
  const voices: Voice[] = [];
  const ask = async (question: QuestionName, asked: Asked = {}): Promise<Voice> => {
    const answer = await read(surfaces, question, asked);
    voices.push(answer);
    if (questionNamed(question).tool) voices.push(await call(surfaces, question, asked));
    return answer;
  };
  for (const question of ['DriftState', 'BanditState', 'CampaignRecommendations'] as const) {
    await ask(question);
    for (const channel of CHANNELS) await ask(question, { channel });
  }
  await ask('BanditState', { top_n: 100 });
  await ask('CampaignRecommendations', { limit: 51 });
  for (const { name, required } of QUESTIONS)
    if (required.length === 0 && !voices.some(({ question }) => question === name)) await ask(name);
  for (const metric_name of [...METRICS.map(({ metricName }) => metricName), ...OPERATIONAL_ANALYSES])
    await ask('AnalysisRecord', { metric_name });
  await askOfCampaigns(ask);
  await askOfContacts(ask, plan);
  const edges = plan.seed % ASKED_WRONGLY_EVERY === 0 ? await askedWrongly(surfaces) : [];
  return { companyId, plan, voices, edges };
}

type Ask = (question: QuestionName, asked?: Asked) => Promise<Voice>;

async function askOfCampaigns(ask: Ask): Promise<void> {
  const { data } = await ask('CampaignList', { limit: 100, window_days: A_YEAR });
  for (const { campaign_id } of data.campaigns.slice(0, MAX_CAMPAIGNS)) {
    await ask('CampaignHealth', { campaign_id });
    await ask('CampaignHealth', { campaign_id, window_days: A_YEAR });
    for (const channel of CHANNELS) await ask('CampaignHealth', { campaign_id, channel });
  }
  await ask('CampaignHealth', { campaign_id: STRANGER });
}

async function askOfContacts(ask: Ask, plan: PlannedCompany): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data } = await ask('WorkflowDecisions', { limit: 50, ...(cursor !== undefined && { cursor }) });
    cursor = data.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  for (const contact_id of [...contactsOf(plan), STRANGER]) {
    await ask('RecipientIntelligence', { contact_id });
    await ask('WorkflowDecisions', { contact_id });
    for (const channel of CHANNELS) await ask('RecipientIntelligence', { contact_id, channel });
  }
}

/** One of each sort: by what came of the newest message to it, erased ones, and somebody with whom an address is shared. */
function contactsOf({ messages, erased, later }: PlannedCompany): string[] {
  const newest = new Map(messages.map((message) => [message.recipient, message]));
  const sorts = new Map<string, string>();
  for (const [recipient, message] of newest) {
    const sort = `${erased.has(recipient) ? `erased ${erased.get(recipient)}` : message.outcome} ${later.has(message)}`;
    sorts.set(sort, recipient);
  }
  const optedOut = messages.find(({ outcome }) => outcome === 'unsubscribed');
  const sharing = messages.find(
    ({ address, recipient }) =>
      optedOut && address !== null && address === optedOut.address && recipient !== optedOut.recipient,
  );
  const chosen = [...(sharing ? [sharing.recipient] : []), ...sorts.values()];
  return [...new Set(chosen)].slice(0, MAX_CONTACTS);
}
