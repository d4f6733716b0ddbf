// The same mails by webhook and by export: equal, none lost, none twice.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { within } from '../local/processes.mjs';
import type { Installation, Running } from '../reliability/installation.ts';
import type { Report } from '../reliability/report.ts';
import { connect, outcomes, SECRETS } from './connected.ts';
import { CAMPAIGN, deliveriesOf, exportFile, mailsOf } from './mails.ts';

const MAILS = 1_000;
const AT_ONCE = 40;
const KILLS = 4;
const MESSAGES = `SELECT recipient_id, sequence_step, outcome, sent_at, recipient_hash, campaign_id FROM touches
  WHERE company_id = $1 ORDER BY recipient_id, sequence_step, sent_at`;

interface Message {
  recipient_id: string;
  sequence_step: number;
}

export async function verifyBothWays(installation: Installation, report: Report) {
  const pods = [
    await installation.start('ingest-api', { environment: SECRETS }),
    await installation.start('ingest-api', { environment: SECRETS }),
  ];
  await installation.start('analysis-worker');
  const [delivered, exported, forgetful] = [
    await installation.newTenant('By webhook'),
    await installation.newTenant('By export'),
    await installation.newTenant('Without repeats'),
  ];
  const mails = mailsOf(MAILS);
  const records = mails.flatMap(deliveriesOf);
  const thrice = shuffled([...records, ...records, ...records]);

  const path = await connect(installation, delivered.companyId);
  const { broken, kills } = await deliver(pods, path, thrice, { repeats: true });
  report.note(
    `${thrice.length} deliveries, ${kills} processes killed, ${broken} deliveries broken off and sent again`,
  );
  const file = join(installation.directory, 'statistics.csv');
  writeFileSync(file, exportFile(mails));
  const imported = [
    'import',
    file,
    '--from',
    'smartlead',
    '--campaign',
    String(CAMPAIGN),
    '--no-wait',
    '--json',
  ];
  await outcomes(installation, [...imported, '--key', exported.apiKey, '--url', pods[0]?.url ?? '']);
  rmSync(file);
  // A sender that does not send again, once, while processes are killed.
  await deliver(pods, await connect(installation, forgetful.companyId), shuffled(records), {
    repeats: false,
  });

  const [one, other, less] = await Promise.all(
    [delivered, exported, forgetful].map(({ companyId }) => counted(installation, companyId)),
  );
  const promise = 'both-ways';
  const limit = { exactly: 0 };
  const ofAll = new Set(mails.map(({ email, step }) => `${email} ${step}`)).size;
  report.check({ promise, what: `mails lost of ${MAILS}, by webhook`, value: ofAll - distinct(one), limit });
  report.check({
    promise,
    what: 'mails counted twice, by webhook',
    value: (one?.length ?? 0) - distinct(one),
    limit,
  });
  report.check({ promise, what: 'mails lost, by export', value: ofAll - distinct(other), limit });
  report.check({
    promise,
    what: 'messages that differ, by webhook and by export',
    value: differing(one, other),
    limit,
  });
  report.check({ promise, what: 'deliveries broken off, at least', value: broken, limit: { least: 1 } });
  report.mutation({ promise, what: 'a tool that sends nothing again', value: differing(less, other), limit });
}

/** Delivers to both processes, killing one of them now and then. */
async function deliver(
  pods: readonly Running[],
  path: string,
  records: readonly object[],
  { repeats }: { repeats: boolean },
) {
  let [next, broken, kills] = [0, 0, 0];
  /** One at a time: a process that is starting cannot be killed and started. */
  let restarting: Promise<unknown> = Promise.resolve();
  const sender = async () => {
    for (let at = next++; at < records.length; at = next++) {
      if (at > 0 && at % Math.ceil(records.length / (KILLS + 1)) === 0) {
        const pod = pods[kills++ % pods.length];
        restarting = restarting.then(() => pod?.life.restart('SIGKILL'));
        await restarting;
      }
      const body = JSON.stringify(records[at]);
      for (let attempt = 0; attempt < 2_000; attempt += 1) {
        const url = pods[(at + attempt) % pods.length]?.url ?? '';
        const status = await fetch(`${url}${path}`, { method: 'POST', body })
          .then(async (answer) => (await answer.arrayBuffer(), answer.status))
          .catch(() => 0);
        if (status === 202) break;
        broken += 1;
        if (!repeats) break;
        await wait(10);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  await restarting;
  return { broken, kills };
}

/** Messages of a company once everything is counted. */
async function counted(installation: Installation, companyId: string) {
  const isCounted = await within(120_000, async () => {
    const [row] = await installation.query(
      'SELECT count(*)::integer AS left FROM ingest_batches WHERE company_id = $1 AND processed_at IS NULL',
      [companyId],
    );
    return row?.left === 0;
  });
  if (!isCounted) throw new Error('not counted within two minutes');
  return (await installation.query(MESSAGES, [companyId])) as Message[];
}

const distinct = (messages: readonly Message[] | undefined = []) =>
  new Set(messages.map(({ recipient_id, sequence_step }) => `${recipient_id} ${sequence_step}`)).size;

function differing(some: readonly Message[] | undefined = [], others: readonly Message[] | undefined = []) {
  const [one, other] = [some, others].map((rows) => new Set(rows.map((row) => JSON.stringify(row))));
  return (
    [...(one ?? [])].filter((row) => !other?.has(row)).length +
    [...(other ?? [])].filter((row) => !one?.has(row)).length
  );
}

/** In the same disorder each time. */
function shuffled<Item>(items: readonly Item[]) {
  const order = [...items];
  let state = 20_260_105;
  for (let at = order.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const to = state % (at + 1);
    const [a, b] = [order[at], order[to]];
    if (a !== undefined && b !== undefined) [order[at], order[to]] = [b, a];
  }
  return order;
}
