import type { Document } from '../voices/voices';
import { choice, near, yesOrNo, type Ask, type Told, type ToolCall } from './eval-question';
import type { EvalCompany } from './planted-truth';

export const DRIFT: ToolCall = { name: 'get_drift_state', arguments: {} };

export const healthOf = (campaign_id: string, window_days = 30): ToolCall => ({
  name: 'get_campaign_health',
  arguments: { campaign_id, window_days },
});

/** Whether the numbers may be acted upon, by the statistics: enough has settled, and of late. */
const MAY_ACT: Readonly<Record<EvalCompany, boolean>> = {
  healthy: true,
  'just changed': true,
  new: false,
  'imported history': false,
  'one campaign gone bad': true,
  'LinkedIn only': true,
};
const CHANGE: Readonly<Record<EvalCompany, string | undefined>> = {
  healthy: 'no',
  'just changed': 'fell',
  new: undefined,
  'imported history': undefined,
  'one campaign gone bad': 'no',
  'LinkedIn only': 'no',
};
const TROUBLE: Readonly<Record<EvalCompany, readonly [campaign: string, isInTrouble: boolean | undefined]>> =
  {
    healthy: ['spring', false],
    'just changed': ['spring', true],
    new: ['spring', undefined],
    'imported history': ['spring', undefined],
    'one campaign gone bad': ['winter', true],
    'LinkedIn only': ['autumn', false],
  };

/** What replies did, if it is known of today. */
function changeOf({ posteriors_trustworthy, drift_state, tests }: Document): Told {
  if (!posteriors_trustworthy && drift_state !== 'rate') return undefined;
  const changed = (tests as Document[]).find(({ state }) => state === 'rate');
  if (changed === undefined) return 'no';
  return changed.direction === 'down' ? 'fell' : 'rose';
}

/** Proved bounces and opt-outs are facts whatever replies do; of replies an untrusted answer says nothing. */
export function troubleOf({ status, posteriors_trustworthy }: Document): Told {
  if (status === 'critical') return 'yes';
  if (status === 'insufficient_data' || !posteriors_trustworthy) return undefined;
  return yesOrNo(status === 'watch');
}

export const questionsOfLeaders = (company: EvalCompany): readonly Ask[] => [
  () => ({
    asker: 'leader',
    text: 'May I act on the reply-rate posteriors today?',
    form: 'yes or no',
    calls: [DRIFT],
    read: ({ posteriors_trustworthy }) => yesOrNo(posteriors_trustworthy === true),
    isRight: choice(yesOrNo(MAY_ACT[company])),
  }),
  () => ({
    asker: 'leader',
    text: 'Have replies risen or fallen within the last two months?',
    form: 'rose, fell or no',
    calls: [DRIFT],
    read: changeOf,
    isRight: choice(CHANGE[company]),
  }),
  (truth) => ({
    asker: 'leader',
    text: 'Of what day is the newest outcome in the numbers?',
    form: 'a date, YYYY-MM-DD',
    calls: [{ name: 'get_bandit_state', arguments: { top_n: 1 } }],
    read: ({ newest_outcome_at }) => newest_outcome_at?.slice(0, 10),
    isRight: choice(new Date(truth.newestOutcome).toISOString().slice(0, 10)),
  }),
  () => {
    const [campaign, isInTrouble] = TROUBLE[company];
    return {
      asker: 'leader',
      text: `Is the campaign ${campaign} in trouble?`,
      form: 'yes or no',
      calls: [healthOf(campaign)],
      read: troubleOf,
      isRight: choice(isInTrouble === undefined ? undefined : yesOrNo(isInTrouble)),
    };
  },
  (truth) => ({
    asker: 'leader',
    text: 'Which campaigns are there?',
    form: 'their ids in order of the alphabet, with commas between them',
    calls: [healthOf('no such campaign')],
    read: ({ similar_campaign_ids }) => similar_campaign_ids.toSorted().join(','),
    isRight: choice(truth.campaigns.join(',')),
  }),
  (truth) => {
    const [campaign] = TROUBLE[company];
    const since = company === 'just changed' ? truth.changedAt : 0;
    const share = truth.share('responded', campaign, 90, since);
    return {
      asker: 'leader',
      text: `What is the reply rate of ${campaign} today, over at most the last 90 days and since it last changed?`,
      form: 'a number of per cent',
      calls: [healthOf(campaign, 90)],
      read: ({ sample_size, reply_rate }) => (sample_size < 30 ? undefined : reply_rate.value * 100),
      isRight: company === 'new' ? choice(undefined) : near(share * 100, Math.max(2, share * 20)),
    };
  },
];
