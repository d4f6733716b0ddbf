import { randomUUID } from 'node:crypto';
import { levelIndex, levelIndexesOf } from '@outcomes/contracts';
import { campaignKeyOf, fortnightOf, NO_CAMPAIGN } from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import { FIRST_SEND_DAY } from '../../test/generated-messages';
import { isoDay } from '../cohorts/days';
import type { StrataRange } from './evidence-source';
import { unmaturedFrom } from './matured-fortnights';
import { countStrata } from './strata-counts.repository';

const COMPANY = randomUUID();
const [FIRST, UNTIL] = [fortnightOf(FIRST_SEND_DAY), FIRST_SEND_DAY + 100];
const COUNTS = { fortnight: FIRST, na: 4, ya: 1, nb: 5, yb: 2 };

/** Each statement counts one stratum: of a campaign that is named, or of none. */
async function counted(names: readonly (string | null)[], code = 'TA-1', within = 'subject_question') {
  const asked: (readonly unknown[])[] = [];
  const query = async (statement: string, parameters: readonly unknown[]) => {
    asked.push(parameters);
    const campaignId = statement.includes('campaign_id IS NULL') ? null : 'spring';
    return { rows: [{ campaignId, ...COUNTS }] };
  };
  const range: StrataRange = {
    campaigns: names.map((campaignId) => ({ campaign: campaignKeyOf(campaignId), campaignId })),
    ...{ firstFortnight: FIRST, lastFortnight: FIRST + 3 },
  };
  const transaction = { companyId: COMPANY, client: { query } } as unknown as TenantTransaction;
  return { strata: await countStrata(transaction, { code, within }, range, UNTIL), asked };
}

describe('strata of a pair of claims', () => {
  const spring = { campaign: campaignKeyOf('spring'), ...COUNTS };
  const unnamed = { campaign: NO_CAMPAIGN, ...COUNTS };

  it('are counted at once in campaigns that have a name, and by themselves where messages name none', async () => {
    const named = await counted(['spring', 'autumn']);
    expect(named.strata).toEqual([spring]);
    expect(named.asked.map((parameters) => parameters[11])).toEqual([['spring', 'autumn']]);
    const none = await counted([null]);
    expect(none.strata).toEqual([unnamed]);
    expect(none.asked.map(({ length }) => length)).toEqual([11]);
    const both = await counted(['spring', null]);
    expect(both.strata).toEqual([spring, unnamed]);
    expect(both.asked.map((parameters) => parameters[11])).toEqual([['spring'], undefined]);
    expect(await counted([])).toEqual({ strata: [], asked: [] });
  });

  it('are those of the fortnights that are asked for, as far as each channel has matured', async () => {
    const { asked } = await counted([null]);
    expect(asked[0]).toEqual([
      ...[COMPANY, isoDay(FIRST_SEND_DAY), isoDay(FIRST_SEND_DAY + 4 * 14)],
      ...[levelIndex('tone', 'direct'), levelIndexesOf('tone'), levelIndexesOf('subject_question')],
      ...[unmaturedFrom(UNTIL).map(isoDay), [14, 21], false, 1, 0],
    ]);
    const [channel] = (await counted([null], 'CH-1', 'tone')).asked;
    expect(channel?.slice(3, 6)).toEqual([
      ...[levelIndex('channel', 'email'), levelIndexesOf('channel'), levelIndexesOf('tone')],
    ]);
    // Channels are compared among first messages.
    expect(channel?.[8]).toBe(true);
    expect((await counted([null], 'TA-1', 'no dimension')).asked[0]?.[5]).toEqual([]);
  });

  it('are none of a code that there is not', async () => {
    await expect(counted(['spring'], 'XX-1')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});
