import { AppError } from '@outcomes/contracts';
import { Management } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import type { EventRecord } from '../identity/event-record';
import { IngestionMetrics } from '../metrics/ingestion-metrics.service';
import type { EventFate, EventStore } from './event-store.service';
import { EventWriter } from './event-writer.service';
import { FULL_GROUP_EVENTS, LINGER_MS, MAX_LINGER_MS } from './company-write-queue';

const scopeOf = (companyId: string) => ({ companyId }) as TenantScope;
const A = scopeOf('a');
const records = (...eventIds: string[]) => eventIds.map((eventId) => ({ eventId }) as EventRecord);
const many = (count: number, prefix: string) =>
  records(...Array.from({ length: count }, (_, i) => `${prefix}${i}`));

/** A store whose statements the test ends one by one. */
class HeldStore {
  readonly statements: { ids: string[]; companyId: string; end: (error?: Error) => void }[] = [];
  private readonly stored = new Set<string>();

  insert(scope: TenantScope, rows: readonly EventRecord[]): Promise<readonly EventFate[]> {
    const ids = rows.map((row) => row.eventId);
    return new Promise((resolve, reject) => {
      this.statements.push({
        ids,
        companyId: scope.companyId,
        end: (error) => {
          if (error) return reject(error);
          resolve(
            ids.map((id) => {
              const isNew = !this.stored.has(`${scope.companyId} ${id}`);
              this.stored.add(`${scope.companyId} ${id}`);
              return isNew ? 'new' : 'duplicate';
            }),
          );
        },
      });
    });
  }
}

function writerOver(poolSize = 6) {
  const store = new HeldStore();
  const metrics = new IngestionMetrics(new Management('test'));
  const writer = new EventWriter(store as unknown as EventStore, { DATABASE_POOL_SIZE: poolSize }, metrics);
  return { store, writer };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('sends the first request at once, and what comes meanwhile together', async () => {
    const { store, writer } = writerOver();
    const answers = ['1', '2', '3'].map((id) => writer.write(A, records(id), 1));
    expect(store.statements.map(({ ids }) => ids)).toEqual([['1']]);
    store.statements[0]?.end();
    expect(await answers[0]).toEqual(['new']);
    await turn();
    expect(store.statements[1]?.ids).toEqual(['2', '3']);
    store.statements[1]?.end();
    expect(await Promise.all(answers.slice(1))).toEqual([['new'], ['new']]);
  });

  it('answers nobody before the commit that carries them', async () => {
    const { store, writer } = writerOver();
    let answered = false;
    const answer = writer.write(A, records('1'), 1).then(() => (answered = true));
    await turn();
    expect(answered).toBe(false);
    store.statements[0]?.end();
    await answer;
    expect(answered).toBe(true);
  });

  it('tells each request what became of its own events, in their order', async () => {
    const { store, writer } = writerOver();
    void writer.write(A, records('0'), 1);
    const answers = [writer.write(A, records('1', '2'), 1), writer.write(A, records('2', '3', '0'), 1)];
    store.statements[0]?.end();
    await turn();
    expect(store.statements[1]?.ids).toEqual(['1', '2', '2', '3', '0']);
    store.statements[1]?.end();
    expect(await Promise.all(answers)).toEqual([
      ['new', 'new'],
      ['duplicate', 'new', 'duplicate'],
    ]);
  });

  it('puts at most 500 events into one statement', async () => {
    const { store, writer } = writerOver();
    const answers = [many(500, 'a'), many(300, 'b'), many(200, 'c'), many(1, 'd')].map((group) =>
      writer.write(A, group, 1),
    );
    for (let statement = 0; statement < 3; statement += 1) {
      await turn();
      store.statements[statement]?.end();
    }
    await turn();
    store.statements.slice(3).forEach(({ end }) => end());
    await Promise.all(answers);
    expect(store.statements.every(({ ids }) => ids.length <= 500)).toBe(true);
    expect(store.statements.flatMap(({ ids }) => ids)).toHaveLength(1_001);
  });

  it('never mixes companies, and lets none of them wait for another', async () => {
    const { store, writer } = writerOver();
    const answers = [writer.write(A, records('1'), 1), writer.write(scopeOf('b'), records('1'), 1)];
    expect(store.statements.map(({ companyId }) => companyId)).toEqual(['a', 'b']);
    store.statements.forEach(({ end }) => end());
    expect(await Promise.all(answers)).toEqual([['new'], ['new']]);
  });

  it('leaves two connections of the pool to others', async () => {
    const { store, writer } = writerOver(5);
    const answers = Array.from({ length: 9 }, (_, company) =>
      writer.write(scopeOf(`c${company}`), records('1'), 1),
    );
    expect(store.statements).toHaveLength(3);
    for (let statement = 0; statement < 9; statement += 1) {
      store.statements[statement]?.end();
      await turn();
    }
    await Promise.all(answers);
  });

  it('does not let a fault of ours in one request become that of its neighbours', async () => {
    const { store, writer } = writerOver();
    void writer.write(A, records('0'), 1);
    const answers = ['bad', 'good'].map((id) => writer.write(A, records(id), 1));
    store.statements[0]?.end();
    await turn();
    store.statements[1]?.end(new AppError('INTERNAL_ERROR'));
    await turn();
    store.statements[2]?.end(new AppError('INTERNAL_ERROR'));
    await expect(answers[0]).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await turn();
    store.statements[3]?.end();
    expect(await answers[1]).toEqual(['new']);
  });

  it('tells all of a group at once that Postgres is away', async () => {
    const { store, writer } = writerOver();
    void writer.write(A, records('0'), 1).catch(() => undefined);
    const answers = ['1', '2'].map((id) => writer.write(A, records(id), 1));
    store.statements[0]?.end();
    await turn();
    store.statements[1]?.end(new AppError('SERVICE_UNAVAILABLE'));
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(store.statements).toHaveLength(2);
  });

  it.each([
    ['events', 500, 1, 40],
    ['bytes', 1, 8 * 1_024 * 1_024, 8],
  ])(
    'sends callers away when too many %s wait, and takes them again later',
    async (_, events, bytes, capacity) => {
      const { store, writer } = writerOver(3);
      const answers = Array.from({ length: capacity }, (_, i) =>
        writer.write(A, many(events, `${i}-`), bytes),
      );
      await expect(writer.write(A, many(events, 'more'), bytes)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'Retry-After': '1' },
      });
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
      for (let statement = 0; statement < capacity; statement += 1) {
        store.statements[statement]?.end();
        await turn();
        jest.advanceTimersByTime(LINGER_MS);
        await turn();
      }
      await Promise.all(answers);
      const later = writer.write(A, records('later'), bytes);
      store.statements.at(-1)?.end();
      expect(await later).toEqual(['new']);
      jest.useRealTimers();
    },
  );

  describe('of senders that come back when they are answered', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => jest.useRealTimers());

    /** Ends a statement whose senders, and those that waited behind it, are expected back: six in all. */
    async function sixUnderWay() {
      const { store, writer } = writerOver();
      const write = (id: string) => writer.write(A, records(id), 1);
      const first = write('0');
      const others = ['1', '2', '3', '4', '5'].map(write);
      store.statements[0]?.end();
      await first;
      await turn();
      return { store, writer, write, others };
    }

    it('waits until as many wait as were under way, and then for nobody', async () => {
      const { store, write, others } = await sixUnderWay();
      // Mutation: a second statement at once, with the five.
      expect(store.statements).toHaveLength(1);
      const sixth = write('6');
      expect(store.statements[1]?.ids).toEqual(['1', '2', '3', '4', '5', '6']);
      store.statements[1]?.end();
      expect(await Promise.all([...others, sixth])).toEqual(Array.from({ length: 6 }, () => ['new']));
    });

    it('waits no longer than a moment after the commit', async () => {
      const { store, others } = await sixUnderWay();
      jest.advanceTimersByTime(LINGER_MS - 1);
      await turn();
      expect(store.statements).toHaveLength(1);
      jest.advanceTimersByTime(1);
      await turn();
      expect(store.statements[1]?.ids).toHaveLength(5);
      store.statements[1]?.end();
      await Promise.all(others);
    });

    it('waits on while they come back one after the other, but not for ever', async () => {
      const { store, write, others } = await sixUnderWay();
      const six = [...others, write('6')];
      store.statements[1]?.end();
      await Promise.all(six);
      await turn();
      const back = [];
      // Mutation: the moment counts from the commit, whoever has just come.
      for (let sender = 0; sender < 5; sender++) {
        jest.advanceTimersByTime(LINGER_MS - 1);
        await turn();
        expect(store.statements).toHaveLength(2);
        back.push(write(`again ${sender}`));
      }
      // Mutation: as long as somebody comes.
      jest.advanceTimersByTime(MAX_LINGER_MS - 5 * (LINGER_MS - 1));
      await turn();
      expect(store.statements[2]?.ids).toHaveLength(5);
      store.statements[2]?.end();
      await Promise.all(back);
    });

    it('reads what has arrived before it says that nobody came', async () => {
      const { store, write, others } = await sixUnderWay();
      // A turn of the event loop that took as long as the wait: timers come first in the next one, then what arrived.
      jest.advanceTimersByTime(LINGER_MS);
      const sixth = write('6');
      await turn();
      // Mutation: the statement starts from the timer, with the five.
      expect(store.statements[1]?.ids).toHaveLength(6);
      store.statements[1]?.end();
      await Promise.all([...others, sixth]);
    });

    it('does not wait with a statement that is full anyway', async () => {
      const { store, writer, write, others } = await sixUnderWay();
      jest.advanceTimersByTime(LINGER_MS);
      await turn();
      const more = ['6', '7', '8', '9'].map(write);
      store.statements[1]?.end();
      await Promise.all(others);
      await turn();
      // Nine were under way, and five are here.
      const full = writer.write(A, many(FULL_GROUP_EVENTS - more.length, 'full'), 1);
      expect(store.statements[2]?.ids).toHaveLength(FULL_GROUP_EVENTS);
      store.statements[2]?.end();
      await Promise.all([...more, full]);
    });

    it('forgets a company that does not come back', async () => {
      const { store, write, others } = await sixUnderWay();
      jest.advanceTimersByTime(LINGER_MS);
      await turn();
      store.statements[1]?.end();
      await Promise.all(others);
      jest.advanceTimersByTime(LINGER_MS);
      await turn();
      // Mutation: an expectation that outlives its moment holds the next one up.
      const later = write('later');
      expect(store.statements[2]?.ids).toEqual(['later']);
      store.statements[2]?.end();
      await later;
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('does not wait with a sender who comes alone, or with few', async () => {
    const { store, writer } = writerOver();
    const answers = ['1', '2', '3'].map((id) => writer.write(A, records(id), 1));
    store.statements[0]?.end();
    await turn();
    expect(store.statements[1]?.ids).toEqual(['2', '3']);
    store.statements[1]?.end();
    await Promise.all(answers);
  });

  it('starts at most four statements of a company at once, however many connections there are', async () => {
    const { store, writer } = writerOver(20);
    const answers = Array.from({ length: 6 }, (_, write) =>
      writer.write(A, many(FULL_GROUP_EVENTS, `${write}-`), 1),
    );
    expect(store.statements).toHaveLength(4);
    for (let ended = 0; ended < store.statements.length; ended += 1) {
      store.statements[ended]?.end();
      await turn();
    }
    await Promise.all(answers);
  });

  it('lets a request wait for a statement that takes long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { store, writer } = writerOver();
    const answers = [writer.write(A, records('takes long'), 1), writer.write(A, records('waits'), 1)];
    jest.advanceTimersByTime(1_300);
    store.statements[0]?.end();
    await turn();
    expect(store.statements[1]?.ids).toEqual(['waits']);
    store.statements[1]?.end();
    expect(await Promise.all(answers)).toEqual([['new'], ['new']]);
    jest.useRealTimers();
  });

  it('lets nobody wait for ever behind a statement that hangs', async () => {
    jest.useFakeTimers();
    const { store, writer } = writerOver();
    void writer.write(A, records('hangs'), 1);
    const waiting = writer.write(A, records('waits'), 1);
    const refused = expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    jest.advanceTimersByTime(2_000);
    await refused;
    store.statements[0]?.end();
    jest.useRealTimers();
    await turn();
    // What was refused was not stored after all.
    expect(store.statements).toHaveLength(1);
  });
});
