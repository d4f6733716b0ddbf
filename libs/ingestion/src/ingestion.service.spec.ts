import { randomUUID } from 'node:crypto';
import { Management } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, jsonBody } from '../test/ingestion-events';
import type { EventDeletion } from './deletion/event-deletion.service';
import { IngestionService } from './ingestion.service';
import { IngestionMetrics } from './metrics/ingestion-metrics.service';
import type { EventWriter } from './storage/event-writer.service';

const scope = { companyId: randomUUID() } as TenantScope;

type Write = (scope: TenantScope, records: readonly unknown[]) => Promise<string[]>;

const ingestionWith = (write: Write) =>
  new IngestionService(
    { write } as unknown as EventWriter,
    {} as EventDeletion,
    new IngestionMetrics(new Management('test')),
    { now: () => new Date() },
  );

/** How many turns of the event loop others had before the events of a body went to the writer. */
async function turnsBeforeWriting(body: Buffer): Promise<number> {
  let turns = 0;
  let before = 0;
  const ingestion = ingestionWith((_scope, records) => {
    before = turns;
    return Promise.resolve(records.map(() => 'new'));
  });
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await ingestion.ingestJson(scope, body);
  isOver = true;
  return before;
}

describe('a body of events', () => {
  const bodyOf = (events: number, characters: number) =>
    jsonBody(...Array.from({ length: events }, () => anEvent({ body: 'a'.repeat(characters) })));

  it('is parsed, judged and sent in a turn of the event loop each where it is large', async () => {
    // Mutation: all of it in one turn, and nobody else is answered meanwhile.
    expect(await turnsBeforeWriting(bodyOf(150, 9_000))).toBe(2);
  });

  it('is on its way at once where it is not', async () => {
    expect(await turnsBeforeWriting(bodyOf(500, 1))).toBe(0);
  });
});

describe('bodies of several companies', () => {
  /** How many bodies of each company are with the writer when all that can be have got there. */
  async function underWay(bodiesOf: Readonly<Record<string, number>>, events = 100) {
    const body = jsonBody(...Array.from({ length: events }, () => anEvent({ body: 'a'.repeat(300) })));
    const writing: Record<string, number> = {};
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const ingestion = ingestionWith(async ({ companyId }, records) => {
      writing[companyId] = (writing[companyId] ?? 0) + 1;
      await released;
      return records.map(() => 'new');
    });
    const answers = Object.entries(bodiesOf).flatMap(([companyId, bodies]) =>
      Array.from({ length: bodies }, () => ingestion.ingestJson({ companyId } as TenantScope, body)),
    );
    await settled();
    const seen = { ...writing };
    release();
    expect(await Promise.all(answers)).toHaveLength(answers.length);
    return seen;
  }
  const settled = () => new Promise(setImmediate);

  it('of which each has one of a hundred events under way at once, and none is lost', async () => {
    // Mutation: without turns the second company waits for twenty of the first.
    expect(await underWay({ small: 1, large: 20, other: 3 })).toEqual({ small: 1, large: 1, other: 1 });
  });

  it('of which each has many small ones under way at once', async () => {
    expect(await underWay({ small: 1, large: 50 }, 1)).toEqual({ small: 1, large: 50 });
  });

  it('of which one that is alone has as many as it sends', async () => {
    expect(await underWay({ large: 20 })).toEqual({ large: 20 });
  });
});
