import { campaignKeyOf, fortnightOf } from '@outcomes/persistence';
import { generateEvidence } from '@outcomes/statistics/testing';
import { FIRST_SEND_DAY, messagesOf, type SentMessage } from '../../test/generated-messages';
import { StoredCampaigns } from '../../test/stored-campaigns';
import { evidenceOf, type CampaignRows } from './campaign-evidence';
import { maturesOn } from './matured-fortnights';
import { NO_TEXTS } from './own-texts';

const [EMAIL, LINKEDIN] = [0, 1];
const FORTNIGHT = fortnightOf(FIRST_SEND_DAY);
/** Of one campaign and fortnight, in five texts. */
const sent = messagesOf(
  generateEvidence({ copy: 'mixed', campaignSd: 0, textSd: 0, days: 14, sendsPerDay: 30, campaigns: 1 }, 4),
).map((message, i) => ({
  ...{ ...message, campaignId: 'spring', textId: 97 * (i % 5) },
  channel: i % 3 === 0 ? LINKEDIN : EMAIL,
}));
const [EMAIL_MATURES, LINKEDIN_MATURES] = [maturesOn(FORTNIGHT, EMAIL), maturesOn(FORTNIGHT, LINKEDIN)];

const rowsOf = async (messages: readonly SentMessage[], day: number): Promise<CampaignRows> => {
  const [rows] = await new StoredCampaigns(messages).source(day).rows([campaignKeyOf('spring')]);
  return rows as CampaignRows;
};

describe('what a campaign amounts to', () => {
  const onLinkedin = sent.filter(({ channel }) => channel === LINKEDIN);
  const byEmail = sent.filter(({ channel }) => channel === EMAIL);

  it('is nothing while none of its channels has matured, though another has', async () => {
    const rows = await rowsOf(onLinkedin, EMAIL_MATURES);
    expect(rows.cells).toHaveLength(1);
    expect(rows.texts.map((ofWay) => ofWay.length > 0)).toEqual([true, true]);
    const { evidence, span } = evidenceOf(rows, EMAIL_MATURES, true);
    expect(evidence).toMatchObject({ campaign: campaignKeyOf('spring'), texts: NO_TEXTS, variants: null });
    expect([evidence.scores.length, evidence.spread]).toEqual([0, undefined]);
    expect(span).toEqual({ maturedOn: null, maturesNext: LINKEDIN_MATURES });
    const none = evidenceOf({ ...rows, cells: [], texts: [[], []] }, EMAIL_MATURES).evidence;
    expect(evidence.bins).toEqual(none.bins);
  });

  it('is of the channels that have matured, and of all its texts', async () => {
    const [both, alone] = [await rowsOf(sent, EMAIL_MATURES), await rowsOf(byEmail, EMAIL_MATURES)];
    const [found, expected] = [evidenceOf(both, EMAIL_MATURES), evidenceOf(alone, EMAIL_MATURES)];
    expect(found.evidence.scores.length).toBeGreaterThan(0);
    expect(found.evidence.scores).toEqual(expected.evidence.scores);
    expect(found.evidence.variants).toEqual(expected.evidence.variants);
    expect(found.evidence.variants).not.toBeNull();
    expect(found.span).toEqual({ maturedOn: EMAIL_MATURES, maturesNext: LINKEDIN_MATURES });
    const sends = Map.groupBy(sent, ({ textId }) => textId);
    const ids = [0, 97, 194, 291, 388];
    const own = { ids, n: ids.map((id) => sends.get(id)?.length) };
    expect(found.evidence.texts).toEqual([own, own]);
    const later = evidenceOf(both, LINKEDIN_MATURES);
    expect(later.evidence.scores).not.toEqual(found.evidence.scores);
    expect(later.span).toEqual({ maturedOn: LINKEDIN_MATURES, maturesNext: null });
    expect(evidenceOf(both, LINKEDIN_MATURES - 1).evidence.scores).toEqual(found.evidence.scores);
  });

  it('says how its texts are spread where it is asked, and no more of them than that', async () => {
    const rows = await rowsOf(sent, LINKEDIN_MATURES);
    const [asked, other] = [evidenceOf(rows, LINKEDIN_MATURES, true), evidenceOf(rows, LINKEDIN_MATURES)];
    expect(asked.evidence.spread).toBeDefined();
    expect(other.evidence.spread).toBeUndefined();
    expect(asked.evidence.bins).toEqual(other.evidence.bins);
  });

  it('has no variants where its messages have none', async () => {
    const rows = await rowsOf(
      sent.map((message) => ({ ...message, variantId: null })),
      LINKEDIN_MATURES,
    );
    expect(evidenceOf(rows, LINKEDIN_MATURES).evidence.variants).toBeNull();
  });

  it('changes again when what is still to mature does', async () => {
    const rows = await rowsOf(
      sent.flatMap((message) => [message, { ...message, day: message.day + 14 }]),
      EMAIL_MATURES,
    );
    expect(rows.later).toEqual([FORTNIGHT + 1]);
    expect(evidenceOf({ ...rows, cells: [] }, EMAIL_MATURES).span).toEqual({
      ...{ maturedOn: null, maturesNext: maturesOn(FORTNIGHT + 1, EMAIL) },
    });
  });
});
