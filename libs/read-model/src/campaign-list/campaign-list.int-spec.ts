import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { CampaignListQuery } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { encodeCursor } from '../arguments/cursor';
import { channelDrift, driftOf, rateChange } from '../../test/planted-drift';
import { plantRun, plantSnapshot, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { Answers } from '../answers/answers.service';

const NOW = '2026-02-01T08:00:00.000Z';
/** In the order of the index: capitals first. */
const CAMPAIGNS = ['Autumn', 'spring\u200b', 'winter'];

describe('the list of campaigns', () => {
  const company = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let answers: Answers;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { owner } = database;
    const { companyId } = company;
    await plantRun(owner, companyId, 'succeeded', NOW);
    await plantSnapshot(owner, companyId, 'drift', driftOf([channelDrift({ changes: [rateChange()] })]));
    for (const campaignId of CAMPAIGNS) {
      await plantTouch(owner, {
        companyId,
        campaignId,
        sentAt: '2026-01-10T08:00:00Z',
        outcome: 'responded',
      });
      await plantTouch(owner, { companyId, campaignId, sentAt: '2025-12-10T08:00:00Z', step: 1 });
    }
    await plantTouch(owner, { companyId: randomUUID(), campaignId: 'CANARY' });
    context = await openReadModel(database.reader, NOW);
    answers = context.get(Answers);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  const ask = (query: CampaignListQuery = {}) => answers.answer('CampaignList', company, query);

  it('goes by id, page by page, without hidden characters, to an end that is told of', async () => {
    const first = await ask({ limit: 2 });
    expect(first).toMatchObject({ scope: 'company', campaign_count: 3 });
    expect(first.summary).toMatch(/^3 campaigns, 2 on this page\. /);
    expect(first.alerts).toEqual(['results_truncated', 'drift_detected']);
    const second = await ask({ limit: 2, cursor: first.next_cursor ?? '' });
    expect([second.next_cursor, second.alerts]).toEqual([null, ['drift_detected']]);
    const all = [...first.campaigns, ...second.campaigns];
    expect(all.map(({ campaign_id }) => campaign_id)).toEqual(['Autumn', 'spring', 'winter']);
    expect((await ask({ limit: 3 })).next_cursor).toBeNull();
    expect((await ask({ cursor: encodeCursor('campaigns', 'winter') })).campaigns).toEqual([]);
    await expect(ask({ cursor: encodeCursor('audit', 'winter') })).rejects.toMatchObject({
      fields: { parameter: 'cursor' },
    });
  });

  it('has of each the figures of the window and the dates of its whole life', async () => {
    const { campaigns, window } = await ask();
    const health = await answers.answer('CampaignHealth', company, { campaign_id: 'Autumn' });
    expect(window).toEqual(health.window);
    expect(campaigns[0]).toEqual({
      // Replies fell on its channel: that is known of it here as well.
      ...{ campaign_id: 'Autumn', status: 'watch', sample_size: 1, reply_rate: health.reply_rate },
      ...{ first_sent_at: '2025-12-10T08:00:00.000Z', last_sent_at: '2026-01-10T08:00:00.000Z' },
    });
    const week = await ask({ window_days: 7 });
    expect([week.window.days, week.campaigns[0]?.sample_size]).toEqual([7, 0]);
  });

  it('is empty for a company that names no campaign', async () => {
    const answer = await answers.answer('CampaignList', mintTenantScope(randomUUID()), {});
    expect(answer).toMatchObject({ campaign_count: 0, campaigns: [], next_cursor: null });
    expect(answer.summary).toMatch(/^0 campaigns, 0 on this page\. /);
  });
});
