import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import type { Section } from '../reliability/section.ts';
import { standbyName, startStandby } from './standby.ts';
import { Switch } from './switch.ts';
import { keepSending } from './traffic.ts';

const patience = 60_000;
/** Services ask for a new connection every second; the switch itself takes no time here. */
const mostMs = 10_000;

/**
 * The primary dies under load, its standby is promoted, and the address leads there: no answer but 202 and 503, and
 * nothing acknowledged is lost, with a standby that commits wait for.
 */
export async function verifyFailover({ installation, report }: Section) {
  const line = { promise: 'failover', limit: { exactly: 0 } };
  const tenant = await installation.newTenant('Failing over');
  const standby = await startStandby(installation);
  const address = await new Switch(Number(new URL(installation.owner).port)).open();
  const stored = async (recipients: string[]) => {
    const [row] = await standby.query(
      'SELECT count(DISTINCT recipient_id)::int AS found FROM outcome_events WHERE company_id = $1 AND recipient_id = ANY ($2)',
      [tenant.companyId, recipients],
    );
    return row.found;
  };
  try {
    const through = new URL(installation.loginTo('ingest-api', 'outcomes'));
    through.port = String(address.port);
    const ingest = await installation.start('ingest-api', { database: through.toString() });
    const send = () => keepSending(`${ingest.url}/ingest/events`, tenant.apiKey);

    await standby.query('SELECT pg_wal_replay_pause()');
    const early = send();
    await within(patience, async () => early.told.acknowledged.length >= 20);
    await early.stop();
    const { acknowledged } = early.told;
    report.mutation({
      ...{ ...line, what: 'a standby that nobody waits for: acknowledged events that it lacks' },
      value: acknowledged.length - (await stored(acknowledged)),
    });
    await standby.query('SELECT pg_wal_replay_resume()');

    await installation.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
    await installation.query('SELECT pg_reload_conf()');
    const isWaitedFor = async () => (await standby.state()) === 'sync';
    if (!(await within(patience, isWaitedFor))) throw new Failure('the standby is not waited for');
    const sending = send();
    await delay(3_000);
    await installation.postgres.kill('SIGQUIT');
    const before = sending.told.acknowledged.length;
    await standby.query('SELECT pg_promote()');
    const promotedMs = performance.now();
    address.to(standby.port);
    const recovered = await within(patience, async () => sending.told.acknowledged.length > before + 20);
    const tookMs = recovered ? performance.now() - promotedMs : Number.NaN;
    await delay(2_000);
    await sending.stop();
    const { told } = sending;
    const odd = [...told.statuses].filter(([status]) => ![202, 503].includes(status));
    report.note(
      `${told.acknowledged.length} events acknowledged; answers by status: ${JSON.stringify([...told.statuses])}`,
    );
    report.check({
      ...{ ...line, what: 'answers that are neither 202 nor 503' },
      value: odd.reduce((sum, [, count]) => sum + count, 0),
    });
    report.check({
      ...{ ...line, what: `acknowledged events of ${told.acknowledged.length} that are lost` },
      value: told.acknowledged.length - (await stored(told.acknowledged)),
    });
    report.check({
      ...{ promise: 'failover', what: 'from the promotion to work as before', unit: 'ms' },
      ...{ value: Math.round(tookMs), limit: { most: mostMs } },
    });
  } finally {
    await installation.stop();
    await address.close();
    await standby.life.stop();
    if (installation.postgres.pid === undefined) await installation.postgres.start();
    await installation.query('ALTER SYSTEM RESET synchronous_standby_names');
    await installation.query('SELECT pg_reload_conf()');
  }
}
