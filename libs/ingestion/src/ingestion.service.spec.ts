import { randomUUID } from 'node:crypto';
import { Management } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, jsonBody } from '../test/ingestion-events';
import type { EventDeletion } from './deletion/event-deletion.service';
import { IngestionService } from './ingestion.service';
import { IngestionMetrics } from './metrics/ingestion-metrics.service';
import type { EventWriter } from './storage/event-writer.service';

const scope = { companyId: randomUUID() } as TenantScope;

/** How many turns of the event loop others had before the events of a body went to the writer. */
async function turnsBeforeWriting(body: Buffer): Promise<number> {
  let turns = 0;
  let before = 0;
  const writer = {
    write: (_scope: unknown, records: readonly unknown[]) => {
      before = turns;
      return Promise.resolve(records.map(() => 'new'));
    },
  };
  const ingestion = new IngestionService(
    writer as unknown as EventWriter,
    {} as EventDeletion,
    new IngestionMetrics(new Management('test')),
    { now: () => new Date() },
  );
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
