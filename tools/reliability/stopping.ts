import { setTimeout as delay } from 'node:timers/promises';
import { isReady } from '../local/installation.mjs';
import type { Tenant } from './installation.ts';
import { settle } from './ledger.ts';
import { bodyOf, exchange, headersOf, keptConnections, smallEvents } from './requests.ts';
import type { Section } from './section.ts';

const clients = 8;
const drainDelay = 1_500;

/** D6: told to stop under load. */
export async function verifyStopping({ installation, report, isShort }: Section) {
  const rounds = isShort ? 1 : 5;
  const tenant = await installation.newTenant('Stopping');
  const totals = { lost: 0, unanswered: 0, seconds: 0, ready: 0, taken: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const result = await stopUnderLoad(installation, tenant, 'SIGTERM');
    totals.lost += result.lost;
    totals.unanswered += result.unanswered;
    totals.seconds = Math.max(totals.seconds, result.seconds);
    totals.ready += result.readyWhileClosing ? 1 : 0;
    totals.taken += result.takenAfterUnready;
  }
  const line = { promise: 'D6' };
  report.check({
    ...line,
    what: `SIGTERM under load, ${rounds} times: acknowledged events lost`,
    value: totals.lost,
    limit: { exactly: 0 },
  });
  report.check({
    ...line,
    what: 'requests begun while the port was open and not answered 202',
    value: totals.unanswered,
    limit: { exactly: 0 },
  });
  report.check({ ...line, what: 'slowest end', value: totals.seconds, limit: { most: 10 }, unit: 's' });
  report.check({
    ...line,
    what: 'times that the port closed before readyz said no',
    value: totals.ready,
    limit: { exactly: 0 },
  });
  report.check({
    ...line,
    what: 'requests taken after readyz said no',
    value: totals.taken,
    limit: { least: rounds },
  });
  const killed = await stopUnderLoad(installation, tenant, 'SIGKILL');
  report.mutation({
    ...line,
    what: 'ends at once: requests not answered 202',
    value: killed.unanswered,
    limit: { exactly: 0 },
  });
}

async function stopUnderLoad(installation: Section['installation'], tenant: Tenant, signal: NodeJS.Signals) {
  const service = await installation.start('ingest-api', {
    environment: { DRAIN_DELAY_MS: String(drainDelay) },
  });
  const agent = keptConnections(clients);
  const acknowledged = new Map();
  const exchanges: { began: number; status: number }[] = [];
  let over = false;
  const client = async () => {
    while (!over) {
      const events = smallEvents(200);
      const began = performance.now();
      const request = { headers: headersOf(tenant.apiKey), body: bodyOf(events), agent, timeout: 15_000 };
      const status = await exchange(`${service.url}/ingest/events`, request).then(
        (answer) => answer.status,
        () => 0,
      );
      exchanges.push({ began, status });
      if (status === 202) for (const { event_id } of events) acknowledged.set(event_id, tenant.companyId);
      else await delay(20);
    }
  };
  const load = Promise.all(Array.from({ length: clients }, client));
  await delay(1_500);
  const told = performance.now();
  service.life.signal(signal);
  let unready = Infinity;
  const watch = (async () => {
    while (unready === Infinity && !over) {
      if (!(await isReady(`${service.management}/readyz`))) unready = performance.now();
      await delay(10);
    }
  })();
  const gone = await service.life.gone(15_000);
  const seconds = gone ? (performance.now() - told) / 1_000 : Infinity;
  over = true;
  await Promise.all([load, watch]);
  agent.destroy();
  const { lost } = await settle(installation.pool, 'outcome_events', [tenant], acknowledged);
  await installation.stop(service);
  // The port is open for as long as the delay; a little before its end a request may still be on its way.
  const portClosed = told + drainDelay - 100;
  const closed = exchanges
    .filter(({ began, status }) => began > told && status === 0)
    .map(({ began }) => began);
  return {
    ...{ lost, seconds },
    unanswered: exchanges.filter(({ began, status }) => began < portClosed && status !== 202).length,
    readyWhileClosing: Math.min(...closed) < unready,
    takenAfterUnready: exchanges.filter(({ began, status }) => began > unready && status === 202).length,
  };
}
