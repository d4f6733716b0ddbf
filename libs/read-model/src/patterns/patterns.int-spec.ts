import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { channelDrift, driftOf } from '../../test/planted-drift';
import { plantRun, plantSnapshot, plantTouch } from '../../test/planted-rows';
import { openReadingDatabase, type ReadingDatabase } from '../../test/reading-database';
import { openReadModel } from '../../test/reading-services';
import { encodeCursor } from '../arguments/cursor';
import { ListPage } from '../snapshots/list-page';
import { PreSerialised } from '../snapshots/pre-serialised';
import { PatternsService } from './patterns.service';

const NOW = '2026-02-01T06:00:00.000Z';
/** As they are served: by hash, in its order. */
const PEOPLE = Array.from({ length: 5 }, (_, i) => `${i}`.padStart(16, '0'));

describe('documents of the patterns group', () => {
  const company = mintTenantScope(randomUUID());
  const empty = mintTenantScope(randomUUID());
  let database: ReadingDatabase;
  let context: INestApplicationContext;
  let documents: PatternsService;

  beforeAll(async () => {
    database = await openReadingDatabase();
    const { owner } = database;
    for (const [i, recipientHash] of PEOPLE.entries())
      await plantTouch(owner, {
        ...{ companyId: company.companyId, recipientId: `r-${i}`, recipientHash, outcome: 'responded' },
      });
    for (const document of ['recipients', 'chunks', 'contact_insights', 'analysis/tone_analysis'])
      await plantSnapshot(owner, company.companyId, document, { of: document });
    await plantSnapshot(owner, company.companyId, 'analysis/timing_matrix', { of: 'an operational row' });
    await plantSnapshot(owner, company.companyId, 'segments', { attribute: null, segments: [] });
    await plantSnapshot(owner, company.companyId, 'frame', {
      ...driftOf([channelDrift()]),
      analysed_at: '2026-02-01T02:00:00.000Z',
    });
    context = await openReadModel(database.reader, NOW);
    documents = context.get(PatternsService);
  });
  afterAll(async () => {
    await context.close();
    await database.close();
  });

  const saidBeside = ({ frame }: { readonly frame?: PreSerialised['frame'] }) =>
    JSON.parse(`{${frame?.at(new Date(NOW)).fields}}`) as Record<string, unknown>;

  it('are served as they were stored, with what is said of their run', async () => {
    const [first, tone] = [await documents.firstAnalysis(company), await documents.chunk(company, 'tone')];
    expect([first.json, tone.json]).toEqual([
      '{"of":"an operational row"}',
      '{"of":"analysis/tone_analysis"}',
    ]);
    expect((await documents.chunk(company, 'timing_matrix')).json).toBe('{"of":"an operational row"}');
    expect((await documents.recipients(company)).json).toBe('{"of":"recipients"}');
    expect((await documents.chunks(company)).json).toBe('{"of":"chunks"}');
    expect((await documents.contactInsights(company)).json).toBe('{"of":"contact_insights"}');
    for (const document of [first, tone, await documents.profiles(company)])
      expect(saidBeside(document)).toMatchObject({ analysed_at: '2026-02-01T02:00:00.000Z' });
    expect(saidBeside(await documents.patterns(empty))).toMatchObject({ analysed_at: null });
    await expect(documents.chunk(company, 'readability')).rejects.toMatchObject({
      code: 'METRIC_HAS_NO_DATA',
    });
  });

  it('say beside them what all answers say of runs: that the newest failed, and that there is nothing', async () => {
    const alertsOf = async (scope: TenantScope) => {
      const all = [
        await documents.patterns(scope),
        await documents.firstAnalysis(scope),
        await documents.recipients(scope),
        await documents.chunks(scope),
        await documents.contactInsights(scope),
        await documents.profiles(scope),
        await page(scope, { limit: 2 }),
      ];
      const said = all.map((document) => saidBeside(document)['alerts']);
      for (const alerts of said) expect(alerts).toEqual(said[0]);
      return said[0];
    };
    const [waiting, failed] = [mintTenantScope(randomUUID()), mintTenantScope(randomUUID())];
    await plantTouch(database.owner, { companyId: waiting.companyId });
    for (const document of ['frame', 'patterns', 'segments', 'recipients'])
      await plantSnapshot(database.owner, failed.companyId, document, {
        ...driftOf([channelDrift()]),
        ...{ analysed_at: '2026-02-01T02:00:00.000Z', segments: [] },
      });
    await plantRun(database.owner, failed.companyId, 'succeeded', '2026-02-01T02:00:00.000Z');
    await plantRun(database.owner, failed.companyId, 'failed', '2026-02-01T03:00:00.000Z');
    expect(await alertsOf(empty)).toEqual(['drift_not_evaluated', 'no_data_ingested_yet']);
    expect(await alertsOf(waiting)).toEqual(['drift_not_evaluated', 'awaiting_first_daily_run']);
    expect(await alertsOf(failed)).toEqual(['last_run_failed']);
    expect(await alertsOf(company)).toEqual([]);
  });

  it('describe every pattern, the same to all and beside no run', () => {
    const { json, frame } = documents.descriptions();
    const told = JSON.parse(json) as { success: boolean; data: Record<string, unknown> };
    expect([told.success, Object.keys(told.data).length, frame]).toEqual([true, 51, undefined]);
  });

  const idsOf = (items: readonly unknown[]) =>
    items.map((item) => (item as { recipientId: string }).recipientId);
  const page = async (scope: TenantScope, query: Parameters<PatternsService['selectedProfiles']>[1]) => {
    const found = await documents.selectedProfiles(scope, query);
    if (!(found instanceof ListPage)) throw new Error('no page');
    return found;
  };

  it('list profiles page by page, each once, to an end that is told of', async () => {
    const first = await page(company, { limit: 2 });
    expect(idsOf(first.items)).toEqual(PEOPLE.slice(0, 2));
    expect(saidBeside(first)).toMatchObject({ analysed_at: '2026-02-01T02:00:00.000Z' });
    const second = await page(company, { limit: 2, cursor: first.nextCursor ?? '' });
    const third = await page(company, { limit: 2, cursor: second.nextCursor ?? '' });
    expect([...idsOf(second.items), ...idsOf(third.items)]).toEqual(PEOPLE.slice(2));
    expect(third.nextCursor).toBeUndefined();
    // As many as there are: nothing follows.
    expect((await page(company, { limit: 5 })).nextCursor).toBeUndefined();
    // A cursor alone goes on in pages of the usual length.
    const rest = await page(company, { cursor: first.nextCursor ?? '' });
    expect([idsOf(rest.items), rest.nextCursor]).toEqual([PEOPLE.slice(2), undefined]);
    expect(await page(empty, { limit: 2 })).toMatchObject({ items: [], nextCursor: undefined });
  });

  it('place those of a page in the segments of the run, by industry where it is that', async () => {
    const { companyId } = company;
    await database.owner.query(`UPDATE touches SET industry = 'retail' WHERE company_id = $1`, [companyId]);
    await database.owner.query(`DELETE FROM snapshots WHERE company_id = $1 AND document = 'segments'`, [
      companyId,
    ]);
    const segment = { id: 's', name: 'n', size: 12, confidence_level: 'high', values: ['retail'] };
    await plantSnapshot(database.owner, companyId, 'segments', {
      attribute: 'industry',
      segments: [{ ...segment, statistical_tests: {} }],
    });
    const { items } = await page(company, { limit: 2 });
    expect(items).toMatchObject([{ cluster_assignment: 0 }, { cluster_assignment: 0 }]);
  });

  it('list all profiles where no page is asked for, and none under a code, which no profile carries', async () => {
    const all = await documents.selectedProfiles(company, {});
    if (!(all instanceof PreSerialised)) throw new Error('not at hand');
    expect(idsOf(JSON.parse(all.json) as unknown[])).toEqual(PEOPLE);
    expect(all.etag).toMatch(/^[\w-]{22}$/);
    for (const query of [{ recommendationCode: 'TA-1' }, { recommendationCode: 'TA-1', limit: 2 }])
      expect(await documents.selectedProfiles(company, query)).toMatchObject({ json: '[]' });
  });

  it('refuse the cursor of another list', async () => {
    const cursor = encodeCursor('campaigns', PEOPLE[0] ?? '');
    await expect(documents.selectedProfiles(company, { cursor })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      fields: { parameter: 'cursor' },
    });
  });
});
