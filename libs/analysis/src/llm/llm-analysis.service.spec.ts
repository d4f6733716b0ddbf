import { randomUUID } from 'node:crypto';
import { DAY_MS, DOCUMENTS, type AnalysisRecord } from '@outcomes/contracts';
import type { Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { ModelEndpoint, says, status } from '../../test/model-endpoint';
import type { SerialisedDocument } from '../documents/serialise';
import { LlmAnalysis } from './llm-analysis.service';

const NOW = new Date('2026-06-01T03:00:00Z');
const READING = JSON.stringify({
  ...{ themes: [], weaknesses: [], suggestions: [] },
  strengths: ['They are short.'],
});
const companies = (count: number) => Array.from({ length: count }, () => mintTenantScope(randomUUID()));
const bodiesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    text: `would you be open to a short chat about how teams like yours save time ${'so '.repeat(n)}`,
    ...{ recipient: `r${n}`, answered: n % 2 === 0 },
  }));

describe('companies whose messages a model is asked about', () => {
  const endpoint = new ModelEndpoint();
  let baseUrl: string;

  beforeAll(async () => {
    baseUrl = await endpoint.start();
    endpoint.replies = [says(READING)];
  });
  afterAll(() => endpoint.stop());
  beforeEach(() => {
    endpoint.asked.length = 0;
  });

  /** The service beside what it reads and leaves. */
  const open = (bodies: () => Promise<ReturnType<typeof bodiesOf>>, stands?: string) => {
    const [logged, claimed]: [unknown[], unknown[]] = [[], []];
    const began: string[] = [];
    const left: SerialisedDocument[] = [];
    const service = new LlmAnalysis(
      { baseUrl, apiKey: '', model: 'm-1', dailyMessages: 100, timeoutMs: 5_000 },
      ...([
        {
          bodies: ({ companyId }: TenantScope) => (began.push(companyId), bodies()),
          claim: async (_scope: unknown, ...claim: unknown[]) => claimed.push(claim) > 0,
        },
        {
          document: async () => stands,
          revise: async (
            _scope: unknown,
            name: string,
            revised: (body: string) => SerialisedDocument[],
            at: Date,
          ) => {
            expect([name, at]).toEqual([DOCUMENTS.chunks, NOW]);
            left.push(...revised('{"chunks":[],"summary":{}}'));
          },
        },
        { now: () => NOW },
        { info: (fields: unknown) => logged.push(fields) } as unknown as Logger,
      ] as unknown as [never, never, never, never]),
    );
    return { service, logged, began, claimed, left };
  };
  const asked = async (count: number) => {
    const own = open(async () => bodiesOf(count));
    own.service.request(companies(1)[0] as TenantScope);
    await own.service.idle();
    return own;
  };

  it('are those of which there are ten messages or more', async () => {
    expect((await asked(9)).logged).toEqual([{ outcome: 'too_few_messages' }]);
    expect(endpoint.asked).toEqual([]);
    const { logged, claimed, left } = await asked(10);
    expect(logged).toEqual([{ outcome: 'stored' }]);
    expect(claimed).toEqual([['2026-06-01', 10, 100]]);
    expect(left.map(({ document }) => document)).toEqual(['analysis/llm_analysis', DOCUMENTS.chunks]);
  });

  it('are left as they are where there is no answer, with the reason in the log', async () => {
    endpoint.replies = [status(401)];
    const { logged, left } = await asked(10);
    endpoint.replies = [says(READING)];
    expect(logged).toEqual([{ outcome: 'refused' }]);
    expect(left).toEqual([]);
  });

  it('have forty of them read at a time', async () => {
    const { claimed, left } = await asked(43);
    expect(JSON.parse(endpoint.asked[0]?.body.messages.at(-1)?.content ?? '[]')).toHaveLength(40);
    expect(claimed).toEqual([['2026-06-01', 40, 100]]);
    expect(JSON.parse(left[0]?.body ?? '{}')).toMatchObject({
      data: { analyses: { llm: { messages_read: 40, answered_messages_read: 20 } } },
    });
  });

  it('take their turn, each once; what goes wrong is told by its kind alone and holds up nobody', async () => {
    const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
    const [first, second] = companies(2) as [TenantScope, TenantScope];
    const own = open(async () => {
      await gate;
      throw new RangeError('said by a recipient');
    });
    for (const scope of [first, second, second]) own.service.request(scope);
    pass();
    await own.service.idle();
    expect(own.began).toEqual([first.companyId, second.companyId]);
    expect(own.logged).toEqual([{ outcome: 'RangeError' }, { outcome: 'RangeError' }]);
  });

  it('are a thousand that wait at most', async () => {
    const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
    const own = open(() => gate.then(() => []));
    const all = companies(1_003);
    for (const scope of all) own.service.request(scope);
    pass();
    await own.service.idle();
    // The first was not waiting any more.
    expect(own.began).toEqual(all.slice(0, 1_001).map(({ companyId }) => companyId));
  });

  it('are none once the process stops', async () => {
    const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
    const own = open(() => gate.then(() => []));
    const [first, second, third] = companies(3) as [TenantScope, TenantScope, TenantScope];
    own.service.request(first);
    own.service.request(second);
    const stopped = own.service.onModuleDestroy();
    pass();
    await stopped;
    own.service.request(third);
    await own.service.idle();
    expect(own.began).toEqual([first.companyId]);
  });

  it('have a reading published again for a week, and not by an erasure', async () => {
    const carried = async (ageMs: number, runKey = '2026-06-01') => {
      const metadata = { updated: new Date(NOW.getTime() - ageMs).toISOString() };
      const record = { analysisKey: 'llm_analysis', metadata } as AnalysisRecord;
      const { service } = open(async () => [], JSON.stringify(record));
      const found = await service.carried(companies(1)[0] as TenantScope, runKey);
      if (found !== undefined) expect(found).toEqual(record);
      return found !== undefined;
    };
    expect(await carried(0)).toBe(true);
    expect(await carried(7 * DAY_MS - 1)).toBe(true);
    expect(await carried(7 * DAY_MS)).toBe(false);
    expect(await carried(0, 'erasure-1')).toBe(false);
    expect(await carried(0, 'after-erasure')).toBe(true);
    expect(await open(async () => []).service.carried(companies(1)[0] as TenantScope, 'x')).toBeUndefined();
  });
});
