import { randomUUID } from 'node:crypto';
import { CHANNELS, OUTCOMES } from '@outcomes/contracts';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { plantCampaigns, plantOutcomeCounts, plantTouch, type PlantedTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { settledDays } from '../runs/settled-days';
import { CampaignRepository, MAX_COUNTED } from './campaign.repository';
import { MAX_CAMPAIGNS } from './campaigns-on-record.repository';

describe('CampaignRepository', () => {
  const tenantA = mintTenantScope(randomUUID());
  const tenantB = mintTenantScope(randomUUID());
  const window = {
    from: '2026-01-10',
    to: '2026-02-01',
    // Mature until 2026-01-18 (email) and 2026-01-11 (linkedin).
    settled: settledDays(undefined, '2026-02-01'),
  };
  let database: ReadingDatabase;
  let repository: CampaignRepository;

  beforeAll(async () => {
    database = await openReadingDatabase();
    repository = new CampaignRepository(database.reader);
    const own = { companyId: tenantA.companyId, campaignId: 'spring' };
    for (const touch of [
      { ...own, sentAt: '2026-01-05T08:00:00Z' },
      { ...own, sentAt: '2026-01-12T08:00:00Z', outcome: 'responded' as const, recipientId: 'contact-2' },
      { ...own, sentAt: '2026-01-12T09:00:00Z', channel: 'linkedin' as const },
      { ...own, sentAt: '2026-01-31T08:00:00Z' },
      { ...own, sentAt: '2026-02-03T08:00:00Z' },
      { ...own, campaignId: 'Autumn', sentAt: '2026-01-20T08:00:00Z' },
      { ...own, campaignId: null },
      { companyId: tenantB.companyId, campaignId: 'spring', sentAt: '2026-01-12T08:00:00Z' },
      { companyId: tenantB.companyId, campaignId: 'CANARY-B', sentAt: '2026-01-30T08:00:00Z' },
    ]) {
      await plantTouch(database.owner, touch);
    }
  });
  afterAll(() => database.close());

  it('counts a campaign over its whole life, and says what lies in the window and what is settled', async () => {
    const cells = await repository.cells(tenantA, { ...window, campaignIds: ['spring'] });
    const facts = cells.map((cell) => [
      cell.channel,
      cell.outcome,
      cell.mature,
      cell.inWindow,
      cell.messages,
    ]);
    expect(facts).toHaveLength(4);
    expect(facts).toEqual(
      expect.arrayContaining([
        ['email', 'no_response', true, false, 1],
        ['email', 'responded', true, true, 1],
        ['linkedin', 'no_response', false, true, 1],
        ['email', 'no_response', false, true, 1],
      ]),
    );
  });

  it('counts messages with a reply and an unsubscribe beside the outcome that they have', async () => {
    const both = {
      companyId: tenantA.companyId,
      campaignId: 'opt-outs',
      outcome: 'unsubscribed' as const,
      sentAt: '2026-01-12T08:00:00Z',
      unsubscribedAt: '2026-01-13T08:00:00Z',
    };
    await plantTouch(database.owner, { ...both, repliedAt: '2026-01-14T08:00:00Z' });
    await plantTouch(database.owner, { ...both, repliedAt: '2026-01-13T08:00:00Z' });
    await plantTouch(database.owner, both);
    const cells = await repository.cells(tenantA, { ...window, campaignIds: ['opt-outs'] });
    expect(cells.map((cell) => [cell.outcome, cell.messages, cell.repliedAndUnsubscribed])).toEqual([
      ['unsubscribed', 3, 2],
    ]);
    await database.owner.query(`DELETE FROM touches WHERE campaign_id = 'opt-outs'`);
  });

  it('keeps to a channel', async () => {
    const cells = await repository.cells(tenantA, {
      ...window,
      campaignIds: ['spring'],
      channel: 'linkedin',
    });
    expect(cells.map((cell) => cell.messages)).toEqual([1]);
  });

  it('weighs messages by the replies that can have come, where many come late', async () => {
    const settled = window.settled.map((days) =>
      days.channel === 'email' ? { ...days, arrived: [1, 1, 1, 1, 1, 1, 0.25] } : days,
    );
    const cells = await repository.cells(tenantA, { ...window, settled, campaignIds: ['spring'] });
    const due = (from: (cell: (typeof cells)[number]) => boolean) =>
      cells.filter(from).map((cell) => cell.due);
    // Sent on 2026-01-12, six days before the last that has settled.
    expect(due((cell) => cell.outcome === 'responded')).toEqual([0.25]);
    expect(due((cell) => cell.channel === 'linkedin')).toEqual([undefined]);
  });

  it("counts nothing of tenant B's campaign of the same name", async () => {
    const cells = await repository.cells(tenantB, { ...window, campaignIds: ['spring', 'Autumn'] });
    expect(cells.map((cell) => [cell.campaignId, cell.messages])).toEqual([['spring', 1]]);
  });

  it('says what was sent since replies on its channel last changed', async () => {
    const settled = window.settled.map((days) =>
      days.channel === 'email' ? { ...days, since: '2026-01-12' } : days,
    );
    const cells = await repository.cells(tenantA, { ...window, settled, campaignIds: ['spring'] });
    // Before it one e-mail was sent; LinkedIn never changed.
    const before = cells.filter((cell) => !cell.sinceChange);
    expect(before).toMatchObject([{ channel: 'email', inWindow: false, messages: 1, position: 'vp' }]);
  });

  it('tells when a campaign sent, and to how many contacts within the window', async () => {
    expect(await repository.spans(tenantA, ['spring'])).toEqual([
      {
        campaignId: 'spring',
        firstSentAt: new Date('2026-01-05T08:00:00Z'),
        lastSentAt: new Date('2026-02-03T08:00:00Z'),
      },
    ]);
    const asked = { ...window, campaignIds: ['spring', 'Autumn', 'unheard of'] };
    expect(await repository.recipients(tenantA, asked, [])).toEqual(
      new Map([
        ['spring', 2],
        ['Autumn', 1],
      ]),
    );
    const onLinkedin = { ...asked, channel: 'linkedin' as const };
    expect(await repository.recipients(tenantA, onLinkedin, [])).toEqual(new Map([['spring', 1]]));
  });

  it('counts contacts of so many messages of the window alone as can be read meanwhile', async () => {
    const asked = { ...window, campaignIds: ['spring'] };
    const cells = await repository.cells(tenantA, asked);
    const sent = (messages: number, inWindow: boolean) =>
      cells.map((cell) => ({ ...cell, messages, inWindow }));
    const most = Math.floor(MAX_COUNTED / cells.length);
    expect(await repository.recipients(tenantA, asked, sent(most, true))).toEqual(new Map([['spring', 2]]));
    expect(await repository.recipients(tenantA, asked, sent(most + 1, true))).toBeUndefined();
    expect(await repository.recipients(tenantA, asked, sent(MAX_COUNTED, false))).toBeDefined();
  });

  it('tells when a campaign sent, whatever days the clocks of its senders showed', async () => {
    const { companyId } = mintTenantScope(randomUUID());
    const sent = [
      ['2026-01-06T10:00:00Z', '2026-01-07'],
      ['2026-01-07T09:00:00Z', '2026-01-06'],
      ['2026-01-06T09:59:00Z', '2026-01-08'],
      ['2026-01-09T13:00:00Z', '2026-01-09'],
      ['2026-01-09T13:30:00Z', '2026-01-08'],
      ['2026-01-09T13:59:00Z', '2026-01-07'],
    ] as const;
    for (const [sentAt, sentDay] of sent)
      await plantTouch(database.owner, { companyId, campaignId: 'around the world', sentAt, sentDay });
    expect(await repository.spans(mintTenantScope(companyId), ['around the world'])).toMatchObject([
      { firstSentAt: new Date('2026-01-06T09:59:00Z'), lastSentAt: new Date('2026-01-09T13:59:00Z') },
    ]);
  });

  it("has neither span nor recipients of tenant B's campaign", async () => {
    expect(await repository.spans(tenantA, ['CANARY-B'])).toEqual([]);
    const asked = { ...window, campaignIds: ['CANARY-B'] };
    expect(await repository.recipients(tenantA, asked, [])).toEqual(new Map());
  });

  describe('of campaigns that are counted by send day', () => {
    const tenant = mintTenantScope(randomUUID());
    const own = { companyId: tenant.companyId, campaignId: 'counted' };
    const days = [
      '2025-12-31',
      '2026-01-05',
      '2026-01-11',
      '2026-01-12',
      '2026-01-18',
      '2026-01-19',
      // Alike the first day in all but what its days are.
      '2026-01-20',
      '2026-02-02',
    ];
    const touches = days.flatMap((day, at) =>
      CHANNELS.flatMap((channel, which) =>
        OUTCOMES.map((outcome, n): PlantedTouch & typeof own => ({
          ...{ ...own, channel, outcome, step: (at + n) % 3, sentAt: `${day}T08:00:00Z` },
          position: (at + which) % 2 === 0 ? 'vp' : 'unknown',
          ...(outcome === 'unsubscribed' && { unsubscribedAt: `${day}T09:00:00Z` }),
          ...(n === 3 && at % 2 === 0 && { repliedAt: `${day}T10:00:00Z` }),
        })),
      ),
    );
    const selection = { ...window, campaignIds: ['counted'] };
    const since = window.settled.map((one) => ({
      ...one,
      since: one.channel === 'email' ? '2026-01-11' : undefined,
    }));
    const selections = [
      selection,
      { ...selection, channel: 'linkedin' as const },
      { ...selection, settled: since },
    ];
    /** What settled messages weigh by email, where replies of the last two weeks of them are still to come. */
    const dueWhereLate = async () => {
      const arrived = [0.3, ...new Array<number>(5).fill(0.5), 0.6, 0.7];
      const settled = window.settled.map((days) => (days.channel === 'email' ? { ...days, arrived } : days));
      const cells = await repository.cells(tenant, { ...selection, settled });
      const sum = (isMature: boolean, channel: string) =>
        cells
          .filter((cell) => cell.mature === isMature && cell.channel === channel)
          .reduce((total, { due }) => total + (due ?? 0), 0);
      return { settled: sum(true, 'email'), others: sum(true, 'linkedin') };
    };
    const linesOf = async (asked: (typeof selections)[number]) => {
      const cells = await repository.cells(tenant, asked);
      return cells.map((cell) => JSON.stringify(Object.entries(cell).sort())).sort();
    };

    it('says what the messages say, without reading them', async () => {
      for (const touch of touches) await plantTouch(database.owner, touch);
      const said = await Promise.all(selections.map(linesOf));
      expect(said.map(({ length }) => length)).toEqual([56, 28, 56]);
      const weighed = await dueWhereLate();
      await plantOutcomeCounts(database.owner, own, touches);
      await database.owner.query('DELETE FROM touches WHERE company_id = $1', [tenant.companyId]);
      expect(await Promise.all(selections.map(linesOf))).toEqual(said);
      expect(await dueWhereLate()).toEqual(weighed);
      // Four messages each of the last day that has settled, and of 6, 7, 13 and 18 days before it.
      expect(weighed.settled).toBeCloseTo(4 * (0.3 + 0.6 + 0.7 + 1 + 1), 9);
    });

    it('reads the messages where one of the campaigns, or the whole company, is not counted', async () => {
      const messages = async (...campaignIds: string[]) => {
        const cells = await repository.cells(tenant, { ...window, campaignIds });
        return cells.reduce((sum, cell) => sum + cell.messages, 0);
      };
      for (const campaignId of ['counted', 'uncounted'])
        await plantTouch(database.owner, { ...own, campaignId, sentAt: '2026-01-12T08:00:00Z' });
      expect(await messages('counted')).toBe(56);
      expect(await messages('counted', 'uncounted')).toBe(2);
      await database.owner.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [tenant.companyId]);
      expect(await messages('counted')).toBe(1);
      await database.owner.query('DELETE FROM touch_rebuilds WHERE company_id = $1', [tenant.companyId]);
      expect(await messages('counted')).toBe(56);
      // An earlier version has taken the company off the list.
      await database.owner.query(
        'INSERT INTO campaign_generations (company_id, generation, counts_outcomes) VALUES ($1, 1, false)',
        [tenant.companyId],
      );
      expect(await messages('counted')).toBe(1);
    });
  });

  it('proposes the id in another case first, then the most recent', async () => {
    expect(await repository.similarTo(tenantA, 'AUTUMN', 10)).toEqual(['Autumn', 'spring']);
    expect(await repository.similarTo(tenantA, 'nothing like it', 1)).toEqual(['spring']);
  });

  it('proposes no campaign of tenant B', async () => {
    expect(await repository.similarTo(tenantA, 'canary-b', 10)).not.toContain('CANARY-B');
  });

  describe('of more campaigns than are looked at', () => {
    const tenant = mintTenantScope(randomUUID());
    const years = ['2022', '2023', '2024', '2025'];
    const idOf = (year: string, n: number) => `${year}-${String(n).padStart(4, '0')}`;
    const newest = Array.from({ length: 40 }, (_, n) => idOf('2026', n));

    beforeAll(async () => {
      await plantCampaigns(database.owner, tenant.companyId, [
        ...years.flatMap((year) =>
          Array.from({ length: 2_600 }, (_, n) => [idOf(year, n), `${year}-06-15`] as const),
        ),
        ...newest.map((id, n) => [id, n < 20 ? '2026-01-30' : '2026-01-31'] as const),
      ]);
    });

    it('finds the latest to send, however they are named, and counts all of them', async () => {
      const { campaigns, ...known } = await repository.recent(tenant, 30);
      expect(campaigns.map(({ campaignId }) => campaignId)).toEqual([
        ...newest.slice(20),
        ...newest.slice(0, 10),
      ]);
      expect(campaigns[0]).toEqual({ campaignId: '2026-0020', lastDay: '2026-01-31' });
      expect(known).toEqual({ total: 10_440, hasMore: false, isPart: false });
      const more = await repository.recent(tenant, 60);
      expect(more.campaigns.filter(({ lastDay }) => lastDay === '2025-06-15')).toHaveLength(20);
      expect(await repository.similarTo(tenant, '2026 0039', 1)).toEqual(['2026-0039']);
    });

    it('pages through them by id, looking at those of the page alone', async () => {
      const last = await repository.page(tenant, '2025-2599', 30);
      expect(last).toEqual({ campaignIds: newest.slice(0, 30), total: 10_440, hasMore: false });
    });

    it('says that it does not know all of them while their counts are made anew', async () => {
      const { companyId } = tenant;
      await database.owner.query('INSERT INTO touch_rebuilds (company_id) VALUES ($1)', [companyId]);
      const { campaigns, ...known } = await repository.recent(tenant, 1);
      expect(campaigns).toHaveLength(1);
      expect(known).toEqual({ total: MAX_CAMPAIGNS, hasMore: true, isPart: true });
      const page = await repository.page(tenant, '2025-2599', 30);
      expect(page).toEqual({ campaignIds: newest.slice(0, 30), total: MAX_CAMPAIGNS, hasMore: true });
      await database.owner.query('DELETE FROM touch_rebuilds WHERE company_id = $1', [companyId]);
    });

    it('finds none of them for another tenant', async () => {
      const other = await repository.recent(mintTenantScope(randomUUID()), 30);
      expect(other).toEqual({ campaigns: [], total: 0, hasMore: false, isPart: false });
    });
  });

  it('pages through the campaigns by id', async () => {
    const first = await repository.page(tenantA, '', 1);
    expect(first.total).toBe(2);
    const second = await repository.page(tenantA, first.campaignIds[0] ?? '', 1);
    const third = await repository.page(tenantA, second.campaignIds[0] ?? '', 1);
    expect([...first.campaignIds, ...second.campaignIds].sort()).toEqual(['Autumn', 'spring']);
    expect(third.campaignIds).toEqual([]);
  });

  it('pages through no campaign of tenant B', async () => {
    const page = await repository.page(tenantA, '', 100);
    expect(page.campaignIds).not.toContain('CANARY-B');
    expect((await repository.page(mintTenantScope(randomUUID()), '', 100)).total).toBe(0);
  });
});
