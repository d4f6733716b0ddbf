import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BY_THE_SERVICE } from '@outcomes/audit';
import { EVENT_KINDS } from '@outcomes/contracts';
import { addressHashOf } from '@outcomes/persistence';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import { exportCompany } from './export-company';

const ADA = addressHashOf('ada@example.com');

describe('exporting what is about one recipient', () => {
  const companyId = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-recipient-'));
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query('INSERT INTO companies (company_id, name) VALUES ($1, $2)', [companyId, 'Asked']);
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const tell = (
    kind: (typeof EVENT_KINDS)[number],
    recipient: string,
    hash: string | null,
    inId: string | null,
  ) =>
    database.query(
      `INSERT INTO outcome_events (company_id, event_id, channel, sequence_step, outcome, sent_has_time, outcome_at,
         recipient_id, thread_id, recipient_hash, id_address_hash)
       VALUES ($1, gen_random_uuid(), 0, 0, $2, false, '2026-01-10', $3, 't', $4, $5)`,
      [companyId, EVENT_KINDS.indexOf(kind), recipient, hash, inId],
    );

  it('finds an opt-out under its address as an id, which blocks it', async () => {
    await tell('no_response', 'crm-1', ADA, null);
    await tell('unsubscribed', 'Ada@Example.com', null, ADA);
    await tell('unsubscribed', 'bob@example.com', null, addressHashOf('bob@example.com'));
    const file = join(folder, 'ada.ndjson');
    await exportCompany(database.ownerUrl, BY_THE_SERVICE, companyId, file, 'crm-1');
    const recipients = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: { recipient_id?: string } })
      .flatMap(({ table, row }) => (table === 'outcome_events' ? [row.recipient_id] : []));
    expect(recipients.sort()).toEqual(['Ada@Example.com', 'crm-1']);
  });
});
