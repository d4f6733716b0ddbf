// Receivers at a steady rate: tools give up after five seconds.
import { setTimeout as wait } from 'node:timers/promises';
import type { Installation } from '../reliability/installation.ts';
import type { Report } from '../reliability/report.ts';
import { connect, SECRETS } from './connected.ts';
import { deliveriesOf, mailsOf } from './mails.ts';

const PER_SECOND = 200;
const limit = { most: 1_000 };
const unit = 'ms';
/** A service that answers a delivery only this much later. */
const SLOWED_MS = 1_100;

export async function verifyLoad(installation: Installation, report: Report, seconds: number) {
  const pod = await installation.start('ingest-api', { environment: SECRETS });
  await installation.start('analysis-worker');
  const { companyId } = await installation.newTenant('Under load');
  const url = `${pod.url}${await connect(installation, companyId)}`;
  const promise = 'load';
  const { p99, failed, sent } = await measured(url, seconds, 0);
  report.check({
    promise,
    what: `p99 of ${sent} deliveries, ${PER_SECOND} a second`,
    value: p99,
    limit,
    unit,
  });
  report.check({ promise, what: 'deliveries that were not taken', value: failed, limit: { exactly: 0 } });
  const slowed = await measured(url, 5, SLOWED_MS);
  report.mutation({ promise, what: 'answers that come a second late', value: slowed.p99, limit, unit });
}

/** Sends by the clock, whether or not the answers have come. */
async function measured(url: string, seconds: number, late: number) {
  const records = mailsOf(PER_SECOND * seconds)
    .flatMap(deliveriesOf)
    .slice(0, PER_SECOND * seconds);
  const times: number[] = [];
  let failed = 0;
  const began = performance.now();
  const under = records.map(async (record, at) => {
    const due = began + (at * 1_000) / PER_SECOND;
    await wait(Math.max(0, due - performance.now()));
    const status = await fetch(url, { method: 'POST', body: JSON.stringify(record) })
      .then(async (answer) => (await answer.arrayBuffer(), answer.status))
      .catch(() => 0);
    if (late > 0) await wait(late);
    // From when it was due: a generator that falls behind hides nothing.
    times.push(performance.now() - due);
    if (status !== 202) failed += 1;
  });
  await Promise.all(under);
  times.sort((a, b) => a - b);
  return { p99: times[Math.floor(times.length * 0.99)] ?? NaN, failed, sent: records.length };
}
