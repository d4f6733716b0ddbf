// The rules of statements.ts find what they are for: each case is a statement that keeps them, and the same with one
// fault in it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isExplained } from './statement-exceptions.ts';
import { faultsOf, spread } from './statements.ts';

const cases: [what: string, good: string, bad: string, fault: string][] = [
  [
    'a read without its company',
    'SELECT body FROM snapshots WHERE company_id = $1 AND document = $2',
    'SELECT body FROM snapshots WHERE document = $2',
    'snapshots: no company is given',
  ],
  [
    'a company that holds in one of two cases only',
    'SELECT 1 FROM snapshots WHERE company_id = $1 AND (document = $2 OR document = $3)',
    'SELECT 1 FROM snapshots WHERE company_id = $1 OR document = $2',
    'snapshots: no company is given',
  ],
  [
    'a condition of a function, which stands without its SELECT',
    'answered IS NOT NULL OR EXISTS (SELECT FROM touches WHERE company_id = $1 AND outcome = 1)',
    'answered IS NOT NULL OR EXISTS (SELECT FROM touches WHERE outcome = 1)',
    'touches: no company is given',
  ],
  [
    'what a function sets a variable to',
    'days := (SELECT count(*) FROM touches WHERE company_id = $1)',
    'days := (SELECT count(*) FROM touches)',
    'touches: no company is given',
  ],
  [
    'a join by another column alone',
    'SELECT 1 FROM touches t JOIN outcome_events e ON e.company_id = t.company_id AND e.touch_id = t.touch_id WHERE t.company_id = $1',
    'SELECT 1 FROM touches t JOIN outcome_events e ON e.touch_id = t.touch_id WHERE t.company_id = $1',
    'outcome_events e: no company is given',
  ],
  [
    'a join whose USING leaves out the company',
    'SELECT 1 FROM touches t JOIN outcome_events e USING (company_id, touch_id) WHERE t.company_id = $1',
    'SELECT 1 FROM touches t JOIN outcome_events e USING (touch_id) WHERE t.company_id = $1',
    'outcome_events e: no company is given',
  ],
  [
    'a subquery that looks at every company',
    'SELECT 1 FROM touches t WHERE company_id = $1 AND EXISTS (SELECT 1 FROM reply_echoes r WHERE r.company_id = t.company_id)',
    'SELECT 1 FROM touches t WHERE company_id = $1 AND EXISTS (SELECT 1 FROM reply_echoes r WHERE r.touch_id = t.touch_id)',
    'reply_echoes r: no company is given',
  ],
  [
    'a WITH that looks at every company',
    'WITH newest AS (SELECT run_id FROM analysis_runs WHERE company_id = $1) SELECT 1 FROM newest',
    'WITH newest AS (SELECT run_id FROM analysis_runs) SELECT 1 FROM newest',
    'analysis_runs: no company is given',
  ],
  [
    'one half of a UNION',
    'SELECT 1 FROM touches WHERE company_id = $1 UNION ALL SELECT 1 FROM snapshots WHERE company_id = $1',
    'SELECT 1 FROM touches WHERE company_id = $1 UNION ALL SELECT 1 FROM snapshots',
    'snapshots: no company is given',
  ],
  [
    'a change of every company',
    'UPDATE analysis_runs SET state = $2 WHERE company_id = $1',
    'UPDATE analysis_runs SET state = $2 WHERE run_id = $1',
    'analysis_runs: no company is given',
  ],
  [
    'a deletion by another table that is not tied to the company',
    'DELETE FROM touches USING outcome_events e WHERE touches.company_id = $1 AND e.company_id = touches.company_id',
    'DELETE FROM touches USING outcome_events e WHERE touches.company_id = $1 AND e.touch_id = touches.touch_id',
    'outcome_events e: no company is given',
  ],
  [
    'a row that would move to another node',
    'UPDATE snapshots SET body = $2 WHERE company_id = $1',
    'UPDATE snapshots SET company_id = $2 WHERE company_id = $1',
    'snapshots: a row would change its node',
  ],
  [
    'a row without its company',
    'INSERT INTO snapshots (company_id, document) VALUES ($1, $2)',
    'INSERT INTO snapshots (document) VALUES ($2)',
    'snapshots: a row without its company',
  ],
  [
    'a conflict that leaves out the company',
    'INSERT INTO snapshots (company_id, document) VALUES ($1, $2) ON CONFLICT (company_id, document) DO NOTHING',
    'INSERT INTO snapshots (company_id, document) VALUES ($1, $2) ON CONFLICT (document) DO NOTHING',
    'snapshots: ON CONFLICT leaves out company_id',
  ],
  [
    'rows of a SELECT that Citus would COPY',
    'INSERT INTO touches (company_id, touch_id) SELECT $1, id FROM unnest($2::uuid[]) AS id RETURNING 1',
    'INSERT INTO touches (company_id, touch_id) SELECT $1, id FROM unnest($2::uuid[]) AS id',
    'touches: INSERT ... SELECT without ON CONFLICT or RETURNING',
  ],
  [
    'a time in a change that every node would tell anew',
    'UPDATE analysis_plans SET next_at = statement_timestamp() WHERE company_id = $1',
    'UPDATE analysis_plans SET next_at = clock_timestamp() WHERE company_id = $1',
    'analysis_plans: clock_timestamp in a change, which is VOLATILE',
  ],
  [
    'a time where a row is updated in place of an insertion',
    `INSERT INTO analysis_plans (company_id, next_at) VALUES ($1, clock_timestamp()) ON CONFLICT (company_id)
     DO UPDATE SET next_at = excluded.next_at`,
    `INSERT INTO analysis_plans (company_id, next_at) VALUES ($1, clock_timestamp()) ON CONFLICT (company_id)
     DO UPDATE SET next_at = clock_timestamp()`,
    'analysis_plans: clock_timestamp in ON CONFLICT, which is not IMMUTABLE',
  ],
  [
    'a sum there that depends on the time zone',
    `INSERT INTO analysis_plans (company_id) VALUES ($1) ON CONFLICT (company_id)
     DO UPDATE SET next_at = (excluded.next_at AT TIME ZONE 'UTC' + interval '1 minute') AT TIME ZONE 'UTC'`,
    `INSERT INTO analysis_plans (company_id) VALUES ($1) ON CONFLICT (company_id)
     DO UPDATE SET next_at = excluded.next_at + interval '1 minute'`,
    'analysis_plans: a time and an interval in ON CONFLICT, not IMMUTABLE',
  ],
  [
    'what is made of a row as it is deleted',
    `WITH gone AS (DELETE FROM touches WHERE company_id = $1 RETURNING *) SELECT extract(epoch FROM sent_at) FROM gone`,
    'DELETE FROM touches WHERE company_id = $1 RETURNING extract(epoch FROM sent_at)',
    'touches: extract in RETURNING, which is not IMMUTABLE',
  ],
  [
    'a day that is added to a time of a row as it is deleted',
    `WITH gone AS (DELETE FROM outcome_events WHERE company_id = $1 RETURNING *)
     SELECT CASE outcome WHEN $2 THEN outcome_at + interval $3 END FROM gone`,
    'DELETE FROM outcome_events WHERE company_id = $1 RETURNING CASE outcome WHEN $2 THEN outcome_at + interval $3 END',
    'outcome_events: a time and an interval in RETURNING, not IMMUTABLE',
  ],
];

describe('the rules of statements on spread tables', () => {
  it('know which tables are spread', () => assert.ok(spread.size >= 20));

  for (const [what, good, bad, fault] of cases) {
    it(`find ${what}`, () => {
      assert.deepEqual(faultsOf(good), []);
      assert.deepEqual(faultsOf(bad), [fault]);
    });
  }

  it('take no other statement for an exception', () => {
    for (const [what, , bad] of cases) assert.equal(isExplained(bad), false, what);
    const sweep = 'SELECT company_id FROM ingest_batches WHERE processed_at IS NULL';
    assert.equal(isExplained(sweep), true);
    assert.equal(isExplained(sweep.replace('company_id', 'batch_id')), false);
  });

  it('let go what touches copied tables alone', () =>
    assert.deepEqual(faultsOf('SELECT 1 FROM api_keys WHERE key_id = $1'), []));
});
