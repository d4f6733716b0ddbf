import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { firstMessage, MAX_TOUCHES_OF_ADDRESS, nextMessage } from './first-message-sql';

interface Message {
  readonly touch_id: string;
  readonly recipient_id: string;
  readonly recipient_hash: string | null;
  readonly sent_at: string;
  readonly sequence_step: number;
}

interface Asked {
  readonly contact_id: string;
  readonly recipient_hash: string | null;
  readonly decided_at: string;
}

const COLUMNS = 'touch_id, sent_at, sequence_step';
const BASE_MS = Date.parse('2026-03-01T00:00:00Z');
/** Few moments, so that messages share them. */
const momentOf = (place: number) => new Date(BASE_MS + (place % 40) * 3_600_000).toISOString();

/** Messages of people with one address, with several, with none, and with one that others have too. */
function messages(): Message[] {
  const made: Message[] = [];
  const send = (recipient: string, hash: string | null, count: number) => {
    for (let at = 0; at < count; at += 1) {
      const place = made.length * 17 + at;
      made.push({
        ...{ touch_id: randomUUID(), recipient_id: recipient, recipient_hash: hash },
        ...{ sent_at: momentOf(place), sequence_step: place % 3 },
      });
    }
  };
  send('alone', 'own', 30);
  send('nowhere', null, 20);
  send('twice', 'one', 10);
  send('twice', 'other', 10);
  send('under-another-id', 'one', 10);
  // As much as identifies somebody, and one message more than that.
  send('at-the-bound', 'full', 40);
  send('elsewhere', 'full', MAX_TOUCHES_OF_ADDRESS - 40);
  send('beyond-the-bound', 'placeholder', 40);
  send('everybody', 'placeholder', MAX_TOUCHES_OF_ADDRESS - 39);
  return made;
}

const compare = (one: string | number, other: string | number) => Number(one > other) - Number(one < other);

/** What the statement says it does, from all messages. */
function firstOf(all: readonly Message[], asked: Asked, direction: 1 | -1, isNext: boolean): string | null {
  const ofAddress = all.filter(
    (one) => one.recipient_hash !== null && one.recipient_hash === asked.recipient_hash,
  );
  const own = all.filter((one) => one.recipient_id === asked.contact_id);
  const counted = ofAddress.length <= MAX_TOUCHES_OF_ADDRESS ? [...own, ...ofAddress] : own;
  const [first] = counted
    .filter((one) => !isNext || one.sent_at > asked.decided_at)
    .sort(
      (one, other) =>
        direction * compare(one.sent_at, other.sent_at) ||
        direction * compare(one.sequence_step, other.sequence_step) ||
        compare(one.touch_id, other.touch_id),
    );
  return first?.touch_id ?? null;
}

describe('the first message to a contact', () => {
  const companyId = randomUUID();
  const all = messages();
  const asked: Asked[] = [...new Set(all.map((one) => one.recipient_id)), 'unknown'].flatMap((contact) =>
    ['own', 'one', 'other', 'full', 'placeholder', 'unused', null].flatMap((hash) =>
      [0, 13, 26, 39].map((place) => ({
        contact_id: contact,
        recipient_hash: hash,
        decided_at: momentOf(place),
      })),
    ),
  );
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(
      `INSERT INTO touches (company_id, touch_id, recipient_id, recipient_hash, sent_at, sent_day, outcome_at,
         sequence_step, channel, position, position_confidence, outcome, streamed, levels, thread_id)
       SELECT $1, touch_id, recipient_id, recipient_hash, sent_at, sent_at::date, sent_at, sequence_step, 0, 0, 0, 0,
         false, '{}', 't'
       FROM jsonb_populate_recordset(NULL::touches, $2)`,
      [companyId, JSON.stringify(all)],
    );
  });
  afterAll(() => database.drop());

  const answered = async (statement: string) => {
    const rows = await database.query<{ touch_id: string | null }>(
      `SELECT first.touch_id FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS asked (row, place)
       CROSS JOIN LATERAL (SELECT row ->> 'contact_id' AS contact_id, row ->> 'recipient_hash' AS recipient_hash,
         (row ->> 'decided_at')::timestamptz AS decided_at OFFSET 0) AS decision
       LEFT JOIN LATERAL (${statement}) AS first ON true ORDER BY place`,
      [companyId, JSON.stringify(asked)],
    );
    return rows.map((row) => row.touch_id);
  };

  it('is the newest of those to its id and of those to its address, unless that is a placeholder', async () => {
    const statement = firstMessage(COLUMNS, 'sent_at DESC, sequence_step DESC, touch_id', '');
    expect(await answered(statement)).toEqual(asked.map((one) => firstOf(all, one, -1, false)));
  });

  it('after a decision is the earliest of them', async () => {
    expect(await answered(nextMessage(COLUMNS))).toEqual(asked.map((one) => firstOf(all, one, 1, true)));
  });
});
