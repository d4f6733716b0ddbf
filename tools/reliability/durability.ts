import { harm, type Fault } from './faults.ts';
import type { Installation, Tenant } from './installation.ts';
import { Ledger, settle } from './ledger.ts';
import type { Section } from './section.ts';

const clients = 6;

/** D1: whatever dies, what was acknowledged is stored once, for its own company. */
export async function verifyLedger({ installation, report, progress, isShort }: Section) {
  const size = isShort
    ? { seconds: 8, faults: 5, events: 5_000 }
    : { seconds: 60, faults: 20, events: 200_000 };
  const { pool } = installation;
  const tenants = [];
  for (const name of ['Ledger A', 'Ledger B', 'Ledger C']) tenants.push(await installation.newTenant(name));
  const service = await installation.start('ingest-api');
  const ledger = new Ledger(service.url, tenants);
  const began = Date.now();
  const seconds = () => (Date.now() - began) / 1_000;
  const bar = progress('D1 ledger', size.seconds);
  const timer = setInterval(() => bar(seconds(), `${ledger.acknowledged.size} events acknowledged`), 1_000);
  // A slow machine is given longer, so that as much harm is done on it.
  const isOver = (faults: number) =>
    seconds() >= size.seconds &&
    ((faults >= size.faults && ledger.acknowledged.size >= size.events) || seconds() >= 4 * size.seconds);
  const sent = ledger.send(clients);
  const faults = await harm(installation, service.life, {
    seed: 1,
    application: 'outcomes-ingest-api',
    isOver,
  });
  ledger.finish();
  await sent;
  clearInterval(timer);
  bar(size.seconds, '');
  const { lost, duplicated, elsewhere } = await settle(pool, 'outcome_events', tenants, ledger.acknowledged);
  const { rows } = await pool.query(
    `SELECT count(*)::int AS wrong FROM (
       SELECT events.event_id FROM outcome_events AS events
       LEFT JOIN (SELECT company_id, unnest(event_ids) AS event_id FROM ingest_batches) AS announced
         USING (company_id, event_id)
       WHERE events.company_id = ANY ($1)
       GROUP BY events.company_id, events.event_id HAVING count(announced.event_id) <> 1) AS found`,
    [tenants.map(({ companyId }) => companyId)],
  );
  const sum = [...faults.values()].reduce((total, count) => total + count, 0);
  report.note(
    [...faults].map(([fault, count]) => `${count} x ${fault}`).join(', ') + `; ${ledger.retries} retries`,
  );
  const line = { promise: 'D1' };
  const none = { limit: { exactly: 0 } };
  report.check({
    ...line,
    what: 'seconds under fire, six clients, three companies',
    value: Math.round(seconds()),
    limit: { least: size.seconds },
  });
  report.check({
    ...line,
    what: 'acknowledged events',
    value: ledger.acknowledged.size,
    limit: { least: size.events },
  });
  report.check({
    ...line,
    what: 'faults, of five kinds',
    value: faults.size === 5 ? sum : 0,
    limit: { least: size.faults },
  });
  report.check({ ...line, what: 'acknowledged events lost', value: lost, ...none });
  report.check({ ...line, what: 'acknowledged events stored twice', value: duplicated, ...none });
  report.check({ ...line, what: 'acknowledged events in another company', value: elsewhere, ...none });
  report.check({
    ...line,
    what: 'stored events not announced to the worker exactly once',
    value: rows[0]?.wrong,
    ...none,
  });
  await installation.stop(service);
  await mutations({ installation, report, tenants });
}

async function mutations({
  installation,
  report,
  tenants,
}: Pick<Section, 'installation' | 'report'> & { tenants: Tenant[] }) {
  const line = { promise: 'D1', limit: { exactly: 0 } };
  const asynchronous = await underFire(installation, tenants, 'async-commit');
  report.mutation({ ...line, what: 'synchronous_commit off: events lost', value: asynchronous.lost });
  const early = await underFire(installation, tenants, 'answer-first');
  report.mutation({ ...line, what: '202 before COMMIT: events lost', value: early.lost });
  const shared = await underFire(installation, tenants, 'shared-tenant');
  report.mutation({
    ...line,
    what: 'company in a shared variable: events in another company',
    value: shared.elsewhere,
  });
  const keyless = await underFire(installation, tenants, 'no-key');
  report.mutation({ ...line, what: 'no key over event_id: events stored twice', value: keyless.duplicated });
}

/** The same clients and the same book against a broken service; four faults suffice. */
async function underFire(installation: Installation, tenants: readonly Tenant[], mode: string) {
  const mutant = await installation.startMutant(mode, tenants);
  const ledger = new Ledger(mutant.url, tenants);
  const sent = ledger.send(clients);
  const only: Fault[] = mode === 'no-key' ? ['service killed', 'backend killed'] : ['Postgres killed'];
  await harm(installation, mutant.life, {
    seed: 2,
    application: 'mutant',
    only,
    isOver: (faults) => faults >= 4,
  });
  ledger.finish();
  await sent;
  const result = await settle(installation.pool, mutant.table, tenants, ledger.acknowledged);
  await installation.stop(mutant);
  await installation.pool.query(`DROP TABLE ${mutant.table}`);
  return result;
}
