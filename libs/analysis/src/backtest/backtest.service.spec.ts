import { randomUUID } from 'node:crypto';
import { DOCUMENTS, type BacktestDocument } from '@outcomes/contracts';
import type { Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { FIRST_SEND_DAY } from '../../test/generated-messages';
import { isoDay } from '../cohorts/days';
import type { SerialisedDocument } from '../documents/serialise';
import type { HistoryBefore } from './backtest.repository';
import { Backtests } from './backtest.service';

/** The first day of sends is a Thursday; of it something has matured 27 days later, a Wednesday. */
const FIRST_WEEK = FIRST_SEND_DAY + 27 - 2;
const COUNTS: HistoryBefore = {
  ...{ firstDay: FIRST_SEND_DAY, firstRunWeek: FIRST_WEEK + 5 * 7, campaigns: 3 },
  ...{ mark: 'as it is', standing: null },
};

interface Kept {
  readonly scope: TenantScope;
  readonly document: SerialisedDocument;
}

/** What there is of a company, and what is asked of it and kept. */
class Company {
  before = COUNTS;
  observedUntil = FIRST_WEEK + 1_000;
  hasRun = true;
  isRebuilt = false;
  readonly kept: Kept[] = [];
  readonly mondays: (readonly number[])[] = [];
  readonly warnings: unknown[] = [];
  readonly began: string[] = [];
  /** Each fold waits for it. */
  gate: Promise<unknown> = Promise.resolve();

  readonly service = new Backtests(
    ...([
      {
        before: async () => this.before,
        keep: async (scope: TenantScope, _run: unknown, _weeks: unknown, document: SerialisedDocument) => {
          this.kept.push({ scope, document });
          this.before = { ...this.before, standing: document.etag };
        },
      },
      {
        history: async (_scope: TenantScope, mondays: readonly number[]) => {
          this.mondays.push(mondays);
          return this.isRebuilt ? null : { weeks: [], claims: [] };
        },
      },
      { read: async (_scope: TenantScope, _table: unknown, work: (channels: []) => unknown) => work([]) },
      { readForArms: async () => ({ observedUntil: this.observedUntil }) },
      {
        newestWithData: async ({ companyId }: TenantScope) => {
          this.began.push(companyId);
          await this.gate;
          return this.hasRun ? { runId: 'run', dataAsOf: new Date(0), armsAsOf: null } : undefined;
        },
      },
      { now: () => new Date('2030-01-01T00:00:00Z') },
      { warn: (fields: unknown) => this.warnings.push(fields) } as unknown as Logger,
    ] as unknown as ConstructorParameters<typeof Backtests>),
  );

  async fold(changes: Partial<HistoryBefore> = {}, scope = SCOPE): Promise<void> {
    this.before = { ...this.before, ...changes };
    this.service.request(scope);
    await this.service.idle();
  }

  get newest(): BacktestDocument {
    return JSON.parse(this.kept.at(-1)?.document.body ?? 'null') as BacktestDocument;
  }
}

const SCOPE = mintTenantScope(randomUUID());

describe('which weeks of brought history are folded', () => {
  const mondaysOf = async (changes: Partial<HistoryBefore>, observedUntil?: number) => {
    const company = new Company();
    company.observedUntil = observedUntil ?? company.observedUntil;
    await company.fold(changes);
    const mondays = company.mondays[0] ?? [];
    const { from, through, weeks } = company.newest;
    expect([from, through, weeks]).toEqual(
      mondays.length === 0
        ? [null, null, 0]
        : [isoDay(mondays[0] ?? 0), isoDay(mondays.at(-1) ?? 0), mondays.length],
    );
    return mondays.map((monday) => (monday - FIRST_WEEK) / 7);
  };

  it('are those from the first in which something had matured up to the one before the first run', async () => {
    expect(await mondaysOf({})).toEqual([0, 1, 2, 3, 4]);
  });

  it('are over before the data ends', async () => {
    expect(await mondaysOf({}, FIRST_WEEK + 3 * 7)).toEqual([0, 1, 2]);
    expect(await mondaysOf({}, FIRST_WEEK + 3 * 7 - 1)).toEqual([0, 1]);
    expect(await mondaysOf({}, FIRST_WEEK - 70)).toEqual([]);
  });

  it('are the newest 104', async () => {
    const found = await mondaysOf({ firstRunWeek: FIRST_WEEK + 140 * 7 });
    expect(found).toEqual(Array.from({ length: 104 }, (_, at) => 36 + at));
  });
});

describe('a backtest', () => {
  it('is of what was there before the first run: without a run with data there is none', async () => {
    const [none, noWeek] = [new Company(), new Company()];
    none.hasRun = false;
    await none.fold();
    await noWeek.fold({ firstRunWeek: null });
    expect([none.kept, noWeek.kept]).toEqual([[], []]);
    expect([none.warnings, noWeek.warnings]).toEqual([[], []]);
  });

  it('says where there is nothing to fold', async () => {
    const company = new Company();
    await company.fold({ firstDay: null });
    expect(company.newest).toMatchObject({ reason: 'no_history', weeks: 0 });
    expect(company.mondays).toEqual([]);
  });

  it('is of companies with 2,000 campaigns at most', async () => {
    const company = new Company();
    await company.fold({ campaigns: 2_001 });
    expect(company.newest.reason).toBe('too_many_campaigns');
    expect(company.mondays).toEqual([]);
    await company.fold({ campaigns: 2_000, mark: 'fewer' });
    expect(company.newest.reason).toBeNull();
  });

  it('is made once of the same history, and again of another', async () => {
    const company = new Company();
    await company.fold();
    expect(company.kept.map(({ document, scope }) => [document.document, scope])).toEqual([
      [DOCUMENTS.backtest, SCOPE],
    ]);
    await company.fold();
    expect(company.kept).toHaveLength(1);
    await company.fold({ mark: 'another' });
    expect(company.kept).toHaveLength(2);
    await company.fold();
    expect(company.kept).toHaveLength(2);
  });

  it('is made again after the counts were rebuilt, though they may come out alike', async () => {
    const company = new Company();
    company.isRebuilt = true;
    await company.fold();
    expect(company.newest.reason).toBe('counts_are_rebuilt');
    company.isRebuilt = false;
    await company.fold();
    expect(company.newest.reason).toBeNull();
    expect(company.kept).toHaveLength(2);
  });
});

describe('companies that wait for their backtest', () => {
  const others = (count: number) => Array.from({ length: count }, () => mintTenantScope(randomUUID()));

  it('take their turn, and one that fails is logged and holds up nobody', async () => {
    const company = new Company();
    const [first, second] = others(2) as [TenantScope, TenantScope];
    const failure = new Error('away');
    company.gate = Promise.reject(failure);
    company.service.request(first);
    company.service.request(second);
    await company.service.idle();
    expect(company.began).toEqual([first.companyId, second.companyId]);
    expect(company.warnings).toEqual([{ err: failure }, { err: failure }]);
    company.gate = Promise.resolve();
    await company.fold();
    expect(company.kept.map(({ scope }) => scope)).toEqual([SCOPE]);
  });

  it('wait once, however often they were asked for, and a thousand of them at most', async () => {
    const company = new Company();
    const { promise, resolve: pass } = Promise.withResolvers<void>();
    company.gate = promise;
    const [first, ...waiting] = others(1_003) as [TenantScope, ...TenantScope[]];
    company.service.request(first);
    for (const scope of [...waiting.slice(0, 2), ...waiting]) company.service.request(scope);
    pass();
    await company.service.idle();
    expect(company.began).toEqual([first, ...waiting.slice(0, 1_000)].map(({ companyId }) => companyId));
  });

  it('are not begun with any more where the process stops', async () => {
    const company = new Company();
    const { promise, resolve: pass } = Promise.withResolvers<void>();
    company.gate = promise;
    const [first, second, third] = others(3) as [TenantScope, TenantScope, TenantScope];
    company.service.request(first);
    company.service.request(second);
    const stopped = company.service.onModuleDestroy();
    company.service.request(third);
    pass();
    await stopped;
    // What was begun is brought to an end.
    expect(company.kept.map(({ scope }) => scope)).toEqual([first]);
    company.service.request(third);
    await company.service.idle();
    expect(company.began).toEqual([first.companyId]);
  });
});
