import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { csvRequests } from './hostile-csv.ts';
import { poisonedEvents, refusedRequests, type Hostile } from './hostile-requests.ts';
import { longestStall, type Running, type Tenant } from './installation.ts';
import { bodyOf, exchange, headersOf, smallEvents } from './requests.ts';
import type { Section } from './section.ts';

/** How long a body may take here; 30 s where nobody says otherwise. */
const bodyTimeout = 3_000;
const slowClients = 40;
const promisedStall = 100;

/** What nobody should send breaks nothing and holds up nobody. */
export async function verifyPoison({ installation, report, isShort }: Section) {
  const tenant = await installation.newTenant('Poison');
  const service = await installation.start('ingest-api', {
    ...{ probed: true, environment: { BODY_TIMEOUT_MS: String(bodyTimeout) } },
  });
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await good(service, tenant);
  const requests = [...poisonedEvents(), ...csvRequests(), ...refusedRequests()];
  const { serverErrors, wrong, stall } = await sendAll(service, tenant, requests, isShort ? 2 : 8);
  for (const text of wrong.slice(0, 20)) report.note(text);
  const line = { promise: 'poison' };
  const none = { limit: { exactly: 0 } };
  report.check({ ...line, what: 'hostile requests sent', value: requests.length, limit: { least: 150 } });
  report.check({ ...line, what: 'answers of 500 and more, or none', value: serverErrors.length, ...none });
  report.check({
    ...line,
    what: 'answers or numbers of accepted events other than expected',
    value: wrong.length,
    ...none,
  });
  report.note(`longest stall by: ${stall.name}`);
  report.check({
    ...line,
    what: 'longest stall of the event loop by a request that is refused',
    value: stall.milliseconds,
    limit: { most: promisedStall },
    unit: 'ms',
  });
  const broken = await malformed(service, tenant);
  report.check({ ...line, what: 'malformed HTTP answered with 500 and more', value: broken, ...none });
  const slow = await slowBodies(service, tenant);
  report.check({
    ...line,
    what: `${slowClients} bodies of a byte a second: answers other than 408`,
    value: slow.others,
    ...none,
  });
  report.check({ ...line, what: 'good requests beside them not answered 202', value: slow.refused, ...none });
  report.check({
    ...line,
    what: 'slowest good request beside them',
    value: slow.slowest,
    limit: { most: 1_000 },
    unit: 'ms',
  });
  await installation.stop(service);
  const mutant = await installation.startMutant('naive', [tenant], { probed: true });
  const naive = await sendAll(
    mutant,
    tenant,
    [...poisonedEvents(), ...refusedRequests().filter(({ isLarge }) => isLarge)],
    1,
  );
  report.mutation({
    ...line,
    what: 'no validation: answers of 500 and more',
    value: naive.serverErrors.length,
    ...none,
  });
  report.mutation({
    ...line,
    what: 'JSON.parse of whatever comes: longest stall',
    value: naive.stall.milliseconds,
    limit: { most: promisedStall },
    unit: 'ms',
  });
}

function good({ url }: Running, { apiKey }: Tenant) {
  return exchange(`${url}/ingest/events`, { headers: headersOf(apiKey), body: bodyOf(smallEvents(5)) });
}

/** @param repetitions At most, where a stall was long: the least of them is the request's, not the machine's. */
async function sendAll(service: Running, tenant: Tenant, requests: readonly Hostile[], repetitions: number) {
  const serverErrors = [];
  const wrong = [];
  let stall = { name: '', milliseconds: 0 };
  for (const hostile of requests) {
    let least = Infinity;
    const most = hostile.isLarge ? repetitions : 1;
    for (let time = 0; time < most && (time === 0 || least > promisedStall); time += 1) {
      await longestStall(service);
      const answer = await sendOne(service, tenant, hostile);
      least = Math.min(least, await longestStall(service));
      if (time > 0) continue;
      if (answer.status === 0 || answer.status >= 500) serverErrors.push(hostile.name);
      if (!isExpected(hostile, answer))
        wrong.push(`${hostile.name}: ${answer.status} ${answer.text.slice(0, 120)}`);
    }
    if (hostile.isLarge && least > stall.milliseconds) stall = { name: hostile.name, milliseconds: least };
  }
  return { serverErrors, wrong, stall };
}

async function sendOne(
  { url }: Running,
  { apiKey }: Tenant,
  { path = '/ingest/events', method = 'POST', type = 'application/json', headers, body }: Hostile,
) {
  return exchange(`${url}${path}`, {
    method,
    body,
    headers: { ...headersOf(apiKey, type), ...headers },
  }).catch((error) => ({ status: 0, text: String(error) }));
}

/** @param hostile `status: 0`: anything below 500. */
function isExpected({ status, accepted }: Hostile, answer: { status: number; text: string }) {
  if (status === 0) return answer.status > 0 && answer.status < 500;
  if (answer.status !== status) return false;
  return accepted === undefined || JSON.parse(answer.text).accepted === accepted;
}

/** Bytes that are hardly HTTP. @returns Answers of 500 and more. */
async function malformed({ url }: Running, { apiKey }: Tenant): Promise<number> {
  const head = `POST /ingest/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;
  const texts = [
    ...['\0\0\0\0\r\n\r\n', 'GET\r\n\r\n', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`],
    ...[`${head}Content-Length: -1\r\n\r\n`, `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`],
    ...[
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    ],
    ...[`${head}X: ${'y'.repeat(40_000)}\r\n\r\n`, `${head}Content-Length: 99999999999\r\n\r\n{}`],
    `${head}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${head}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`,
  ];
  const answers = await Promise.all(texts.map((text) => raw(url, text)));
  return answers.filter((answer) => /^HTTP\/1\.1 5/.test(answer)).length;
}

/** @returns What came back within two seconds or until the end. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('error', () => {}).on('close', () => resolve(answer));
  });
}

/** Bodies that arrive byte by byte, and good requests beside them. */
async function slowBodies(service: Running, tenant: Tenant) {
  const port = Number(new URL(service.url).port);
  const head = `POST /ingest/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  const slow = Array.from(
    { length: slowClients },
    () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(head));
        const timer = setInterval(() => socket.write('{'), 1_000);
        let answer = '';
        socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        socket
          .on('error', () => {})
          .on('close', () => {
            clearInterval(timer);
            resolve(answer);
          });
        setTimeout(() => socket.destroy(), bodyTimeout + 10_000).unref();
      }),
  );
  let over = false;
  void Promise.all(slow).then(() => (over = true));
  const beside = [];
  while (!over) {
    beside.push(await good(service, tenant).catch(() => ({ status: 0, milliseconds: Infinity })));
    await delay(20);
  }
  const answers = await Promise.all(slow);
  return {
    others: answers.filter((answer) => !String(answer).startsWith('HTTP/1.1 408')).length,
    refused: beside.filter(({ status }) => status !== 202).length,
    slowest: Math.max(...beside.map(({ milliseconds }) => milliseconds)),
  };
}
