import { anEvent } from '../test/ingestion-events';
import { NameBasedUuids } from './identity/name-based-uuid';
import { recordOf } from './identity/event-record';
import { answerTo, byIndex, byRow, type Locate } from './ingest-answer';
import { checkEvent } from './validation/event-rules';

const GIVEN = '6e38e328-70eb-4657-9c91-f5b5b68b0ec4';

describe('the answer to a request', () => {
  const verdicts = [
    { channel: 'sms' },
    {},
    { recipient_id: 'again' },
    { recipient_id: '', tone: 'none' },
    { event_id: GIVEN },
    { recipient_id: 'derived' },
  ].map((parts) => checkEvent(anEvent(parts), Date.parse('2026-06-15T12:00:00Z')));
  const uuids = new NameBasedUuids(GIVEN);
  const records = verdicts.map(({ checked }) => checked && recordOf(checked, uuids));
  const answer = (locate: Locate, representation?: boolean) =>
    answerTo(verdicts, records, ['new', 'duplicate', 'conflict', 'conflict'], locate, representation);

  it('counts what was stored, was there, or was refused, and names each fault with its place', () => {
    const { errors, ...counts } = answer(byIndex);
    expect(counts).toEqual({ accepted: 2, duplicates: 1, rejected: 4 });
    expect(errors.map(({ index, row, field, code }) => [index, row, field, code])).toEqual([
      [0, undefined, 'channel', 'NOT_ALLOWED'],
      [3, undefined, 'recipient_id', 'EMPTY'],
      [3, undefined, 'tone', 'NOT_ALLOWED'],
      [4, undefined, 'event_id', 'EVENT_ID_CONFLICT'],
      [5, undefined, 'event_id', 'EVENT_ID_CONFLICT'],
    ]);
    // What to do depends on whether the caller chose the id.
    const [given, derived] = errors.slice(3).map(({ message }) => message);
    expect([given, derived]).toEqual([
      expect.stringMatching(/with another event_id or none\.$/),
      expect.stringMatching(/give this event an event_id of its own\.$/),
    ]);
    expect(answer(byRow).errors.map(({ index, row }) => [index, row])).toEqual(
      [1, 4, 4, 5, 6].map((row) => [undefined, row]),
    );
  });

  it('tells of each event what became of it, where that is asked for', () => {
    const statuses = ['rejected', 'accepted', 'duplicate', 'rejected', 'rejected', 'rejected'];
    expect(answer(byRow, true).results).toEqual(
      statuses.map((status, at) => ({ row: at + 1, event_id: records[at]?.eventId ?? null, status })),
    );
    expect(records.map((record) => record !== undefined)).toEqual([false, true, true, false, true, true]);
    expect(answer(byIndex, false)).not.toHaveProperty('results');
  });
});
