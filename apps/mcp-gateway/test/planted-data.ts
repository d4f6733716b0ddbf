import { createHash, randomUUID } from 'node:crypto';
import { DAY_MS, DOCUMENTS, LEVEL_COUNT, type Outcome, OUTCOMES, POSITIONS } from '@outcomes/contracts';
import type { TestDatabase } from '@outcomes/testing';
import { bandit, drift } from './planted-documents';
import { patterns, variants, volumes } from './planted-patterns';

async function insert(
  database: Pick<TestDatabase, 'query'>,
  table: string,
  row: Readonly<Record<string, unknown>>,
) {
  const names = Object.keys(row);
  const marks = names.map((_name, index) => `$${index + 1}`);
  await database.query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')})`,
    Object.values(row),
  );
}

export interface Plan {
  /** Text that stands in every column of a tenant's own text. */
  readonly foreignText?: string;
}

/** A company as it looks the morning after a run: arms, drift, patterns, messages. */
export async function plantCompany(
  database: Pick<TestDatabase, 'query'>,
  companyId: string,
  { foreignText = 'Head of Wonder' }: Plan = {},
): Promise<void> {
  const dataAsOf = new Date(Date.now() - 3_600_000).toISOString();
  await insert(database, 'analysis_runs', {
    company_id: companyId,
    run_id: randomUUID(),
    run_key: 'run',
    state: 'succeeded',
    engine_version: 'test',
    data_as_of: dataAsOf,
    started_at: dataAsOf,
    finished_at: dataAsOf,
  });
  const snapshots = {
    [DOCUMENTS.bandit]: bandit(dataAsOf),
    [DOCUMENTS.drift]: drift(dataAsOf),
    [DOCUMENTS.patterns]: patterns(companyId, dataAsOf),
    [DOCUMENTS.variants]: variants(dataAsOf, 'spring-launch', 2),
    [DOCUMENTS.volumes]: volumes(dataAsOf),
  };
  for (const [document, value] of Object.entries(snapshots)) {
    const body = JSON.stringify(value);
    const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    const times = { data_as_of: dataAsOf, updated_at: dataAsOf };
    await insert(database, 'snapshots', {
      company_id: companyId,
      document,
      run_id: randomUUID(),
      ...times,
      etag,
      body,
    });
  }
  await plantMessages(database, companyId, foreignText);
}

async function plantMessages(
  database: Pick<TestDatabase, 'query'>,
  companyId: string,
  foreignText: string,
): Promise<void> {
  const zeros = Array.from({ length: LEVEL_COUNT }, () => 0);
  for (let index = 0; index < 60; index += 1) {
    const outcome: Outcome = index % 10 === 0 ? 'responded' : index === 31 ? 'unsubscribed' : 'no_response';
    const sentAt = new Date(Date.now() - (20 + (index % 8)) * DAY_MS);
    await insert(database, 'touches', {
      company_id: companyId,
      touch_id: randomUUID(),
      channel: index % 3 === 0 ? 1 : 0,
      sequence_step: index % 4,
      position: POSITIONS.indexOf('vp'),
      position_confidence: 0.9,
      outcome: OUTCOMES.indexOf(outcome),
      streamed: true,
      sent_day: sentAt.toISOString().slice(0, 10),
      sent_at: sentAt,
      outcome_at: new Date(sentAt.getTime() + DAY_MS),
      levels: [],
      recipient_id: `crm-${String(index).padStart(5, '0')}`,
      thread_id: foreignText.slice(0, 60),
      campaign_id: index % 2 === 0 ? 'spring-launch' : `other-${index % 5}`,
      recipient_hash: null,
      recipient_position: foreignText,
    });
  }
  for (let day = 15; day < 60; day += 1) {
    await insert(database, 'cohort_counts', {
      company_id: companyId,
      sent_day: new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10),
      channel: 0,
      step_bucket: 0,
      position: POSITIONS.indexOf('vp'),
      touches: 40,
      replies: 3,
      ...{ bounces: 0, unsubscribes: 0, opens: 0, meetings: 0, streamed: 40 },
      ...{ level_touches: zeros, level_replies: zeros, hour_touches: [], hour_replies: [], reply_delays: [] },
    });
  }
}
