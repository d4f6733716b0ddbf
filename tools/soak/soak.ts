// The soak: an installation is loaded with half of what it can do, watched, and judged; then it is harmed, and judged again.
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../local/failure.mjs';
import { build } from '../local/install.mjs';
import { within } from '../local/processes.mjs';
import { step } from '../local/progress.mjs';
import { ensureLocalDirectory, requireFreeSpace, writeJson } from '../local/settings.mjs';
import { withInstallation, type Installation } from '../reliability/installation.ts';
import { Report } from '../reliability/report.ts';
import { seeded } from '../reliability/requests.ts';
import { Tally, type Request } from './client.ts';
import { Company, RECIPIENTS } from './companies.ts';
import { markdown, Minutes, pictures, questionTimes } from './display.ts';
import { causes, Faults } from './faults.ts';
import { capacityOf, measured, now, OpenLoad, type Rates, type Scene } from './load.ts';
import { Nights } from './nights.ts';
import { reckon } from './reckoning.ts';
import { fresh } from './requests.ts';
import { Sampler } from './sampler.ts';
import { connect, makeCompanies, startServices, type Clients } from './services.ts';
import { judge, type Evidence, type Verdict } from './verdicts.ts';

export interface Options {
  readonly minutes: number;
  /** Whether only the broken variants are looked at. */
  readonly mutationsOnly: boolean;
  /** Path of the two reports, without `.json` and `.md`. */
  readonly report: string;
}

/**
 * Events of each company before anything is measured: every question has an answer, and each recipient a message, which an
 * event in five is none of, so that answers do not grow meanwhile.
 */
const HISTORY = 2 * RECIPIENTS;
const ARCHIVED = 2_000;
const NIGHTS = 6;
const SHORTEST_NIGHT = 60;
/** How long harm is done, and how long the same installation was judged before without. */
const HARM_SECONDS = 180;
/** As installations are told to set them: a quarter of the memory of a server of 4 GB, and checkpoints by the clock. */
const POSTGRES = { shared_buffers: '1GB', max_wal_size: '4GB' };
/** What grows with what is sent, and is told without a limit. */
const GROWING = [
  'database MB',
  'WAL MB',
  'thousand whole pages in WAL',
  'checkpoints',
  'logs MB',
  'redis keys',
  'redis streams MB',
];
/** Questions of each kind whose times are told. */
const SLOWEST = 3;
/** A load that is late is itself what is slow: the figures are of it then. */
const LATE_SECONDS = 1;
/** Of Postgres and of logs, for half an hour. */
const MEGABYTES = 8_000;

export async function soak(options: Options) {
  ensureLocalDirectory();
  await requireFreeSpace(MEGABYTES);
  await build(new AbortController().signal);
  const report = new Report((line) => console.log(line));
  await withInstallation((installation) => soakOn(installation, options, report), POSTGRES);
  if (report.failures > 0) process.exitCode = 1;
}

async function soakOn(installation: Installation, options: Options, report: Report) {
  const services = await step('Starting the services', () => startServices(installation));
  const base = Date.now();
  const companies = await makeCompanies(installation, base);
  const archive = new Company(await installation.newTenant('archive'), 'archive', 0, base);
  const clients = connect(services);
  const scene: Scene = { companies, clients, chance: seeded(1), waiting: () => waitingEvents(installation) };
  await step('Sending and analysing a history', () => sendHistory(installation, scene, archive));
  const rates = await measureCapacity(scene, options, report);
  const visit = await signIn(installation, services.console.url, companies[0] as Company);

  const seconds = options.mutationsOnly ? 1.5 * HARM_SECONDS : 60 * options.minutes;
  const sampler = new Sampler(installation, services, secondsBetweenSamples(seconds));
  const nights = new Nights(installation, clients, companies, archive);
  const minutes = new Minutes(companies, sampler);
  const parties = { installation, clients, companies, archive, nights, sampler };
  sampler.start();

  console.log(`\n  ${(seconds / 60).toFixed(0)} minutes at half of it:\n`);
  const whole = await hold(parties, new OpenLoad(rates, scene, visit), minutes, seconds);
  console.log('');
  if (!options.mutationsOnly) {
    for (const verdict of judge(whole)) state(report, verdict);
    explain(report, whole);
  }
  const charts = pictures(sampler, whole.tally, whole.from, whole.to);
  console.log(`\n${charts.join('\n')}\n`);

  const faults = new Faults(installation, services, clients, sampler);
  console.log(`  ${HARM_SECONDS / 60} minutes with harm done:\n`);
  sampler.every(secondsBetweenSamples(HARM_SECONDS));
  const load = new OpenLoad(rates, scene, visit);
  const harmed = await hold(parties, load, minutes, HARM_SECONDS, {
    begin: () => faults.begin(),
    end: () => faults.end(nights, archive),
  });
  console.log('');
  // The same length of the same installation, before: what is caught there is not caught by the harm.
  const before = judge({ ...whole, from: Math.max(whole.from, whole.to - HARM_SECONDS) });
  judgeHarm(report, before, judge(harmed));
  await sampler.stop();
  for (const client of Object.values(clients)) await client.close();

  const closing = `${report.lines.length - report.failures} of ${report.lines.length} lines hold`;
  console.log(`\n${closing}`);
  write(options, { report, rates, minutes, charts, sampler, closing, whole, harmed });
}

/** @param seconds - that are watched */
const secondsBetweenSamples = (seconds: number) => Math.min(5, Math.max(1, seconds / 360));

interface Parties {
  readonly installation: Installation;
  readonly clients: Clients;
  readonly companies: readonly Company[];
  readonly archive: Company;
  readonly nights: Nights;
  readonly sampler: Sampler;
}

/** Lets a load go on for a while, with nights in it, and reckons up. */
async function hold(
  { installation, clients, companies, archive, nights, sampler }: Parties,
  load: OpenLoad,
  minutes: Minutes,
  seconds: number,
  harm?: { begin: () => Promise<void>; end: () => Promise<void> },
): Promise<Evidence> {
  const from = now();
  await harm?.begin();
  const night = Math.max(SHORTEST_NIGHT, seconds / NIGHTS);
  let nextNight = from + night / 2;
  let under: Promise<void> | undefined;
  const row = Math.max(10, Math.min(60, seconds / 10));
  for (let next = from + row; next <= from + seconds + 0.1; next += row) {
    while (now() < next) {
      if (now() >= nextNight && under === undefined) {
        nextNight += night;
        under = nights.run(load.tally).finally(() => (under = undefined));
      }
      await delay(Math.max(1, Math.min(250, 1_000 * (next - now()))));
    }
    minutes.print(load.tally);
  }
  const to = now();
  await under;
  await load.stop(clients);
  await harm?.end();
  if (load.late > LATE_SECONDS)
    console.log(
      `  The load was up to ${load.late.toFixed(1)} s late: the machine was busy with other things.`,
    );
  const reckoning = await step('Waiting for the last count, and reckoning', () =>
    reckon(installation, clients, companies, archive, nights),
  );
  return { sampler, tally: load.tally, reckoning, from, to, until: now() };
}

/** What is promised, as a line of the report. */
function state(report: Report, { promise, what, value, limit, unit = '', isUndecided }: Verdict) {
  const [bound = NaN] = Object.values<number>(limit);
  if (isUndecided) report.notRun(promise, `${what}: undecided at ${bound.toFixed(1)}, a longer run tells`);
  else report.check({ promise, what, value, limit, unit });
}

function judgeHarm(report: Report, before: readonly Verdict[], after: readonly Verdict[]) {
  for (const [name, cause] of Object.entries(causes)) {
    const [one, other] = [before, after].map((all) => all.find((verdict) => verdict.name === name));
    if (one === undefined || other === undefined) throw new Failure(`There is no verdict ${name}.`);
    const { promise, value, limit, unit = '' } = other;
    const wasBroken = !one.isUndecided && !keeps(one);
    const measuredValue = other.isUndecided || wasBroken ? NaN : value;
    const what = `${name}: ${cause}${wasBroken ? ' (broken without it)' : ''}`;
    report.mutation({ promise, what, value: measuredValue, limit, unit });
  }
}

function keeps({ value, limit }: Verdict): boolean {
  if ('most' in limit) return value <= limit.most;
  return 'least' in limit ? value >= limit.least : value === limit.exactly;
}

/** What was wrong, in its own words, and what grows by design. */
function explain(report: Report, { tally, sampler, from, to }: Evidence) {
  for (const { at, name, what } of tally.unexpected.slice(0, 20))
    report.note(`${((at - from) / 60).toFixed(1)} min, ${name}: ${what}`);
  for (const { app, line } of sampler.errors.slice(0, 10)) report.note(`${app}: ${line}`);
  for (const { app, what } of sampler.restarts.slice(0, 10)) report.note(`${app} ${what}`);
  for (const kind of measured)
    for (const { name, median, p99 } of questionTimes(tally, from, to)
      .filter((question) => question.kind === kind)
      .slice(0, SLOWEST))
      report.note(
        `${kind}, ${name}: median ${arrow(median)} ms, p99 ${arrow(p99)} ms, from the first third to the last`,
      );
  for (const series of GROWING) {
    const points = sampler.points(series).filter(({ at }) => at >= from && at <= to);
    const [first, last] = [points.at(0)?.value ?? NaN, points.at(-1)?.value ?? NaN];
    report.note(`${series}: ${first.toFixed(1)} to ${last.toFixed(1)}, which grows with what is sent`);
  }
}

const arrow = ([early, late]: readonly [number, number]) => `${early.toFixed(0)} to ${late.toFixed(0)}`;

async function measureCapacity(
  scene: Scene,
  { minutes, mutationsOnly }: Options,
  report: Report,
): Promise<Rates> {
  const alone = mutationsOnly ? 10 : Math.min(45, Math.max(10, 1.5 * minutes));
  const failures: Tally[] = [];
  const measure = async (name: string, kinds: Parameters<typeof capacityOf>[0], seconds: number) => {
    const found = await step(`${name}, ${seconds.toFixed(0)} s`, () => capacityOf(kinds, seconds, scene));
    failures.push(found.tally);
    return found;
  };
  for (const kind of measured) {
    const { rates, events } = await measure(`Capacity of ${kind} alone`, [kind], alone);
    const figure = kind === 'ingest' ? `, ${events.toFixed(0)} events/s accepted and counted` : '';
    report.note(`${kind} alone: ${rates[kind].toFixed(1)} requests/s${figure}`);
  }
  const { rates, events } = await measure('Capacity of all at once', measured, 2 * alone);
  report.note(
    `all at once: ${rates.ingest.toFixed(1)} requests/s with ${events.toFixed(0)} events/s, ` +
      `${rates.read.toFixed(1)} reads/s, ${rates.mcp.toFixed(1)} calls/s`,
  );
  const wrong = failures.flatMap(({ unexpected }) => unexpected);
  for (const { name, what } of wrong.slice(0, 5)) report.note(`${name}: ${what}`);
  if (wrong.length > 0) report.notRun('capacity', `${wrong.length} unexpected answers while it was measured`);
  return { ingest: rates.ingest / 2, read: rates.read / 2, mcp: rates.mcp / 2 };
}

async function sendHistory(installation: Installation, scene: Scene, archive: Company) {
  const tally = new Tally();
  for (const company of [...scene.companies, archive]) {
    const size = company === archive ? ARCHIVED : HISTORY;
    for (let sent = 0; sent < size; sent += 500)
      await scene.clients.ingest.send(fresh(company, company.take(500)), tally, now());
  }
  if (tally.failures > 0) throw new Failure(`The history was refused: ${tally.unexpected[0]?.what}`);
  const isAnalysed = async () => {
    const { rows } = await installation.pool.query<{ companies: number }>(
      `SELECT count(DISTINCT company_id)::int AS companies FROM analysis_runs WHERE state = 'succeeded'`,
    );
    return (rows[0]?.companies ?? 0) > scene.companies.length && (await scene.waiting()) === 0;
  };
  if (!(await within(180_000, isAnalysed))) throw new Failure('The history was not analysed.');
}

async function waitingEvents({ pool }: Installation): Promise<number> {
  const { rows } = await pool.query<{ events: number }>(
    `SELECT coalesce(sum(cardinality(event_ids)), 0)::int AS events FROM ingest_batches WHERE processed_at IS NULL`,
  );
  return rows[0]?.events ?? 0;
}

/** Somebody is signed in to the console, and looks around. */
async function signIn(installation: Installation, url: string, company: Company): Promise<() => Request> {
  const email = 'ada@example.com';
  const create = ['user', 'create', '--company', company.companyId, '--email', email, '--json'];
  const { password } = (await installation.outcomes(create)) as { password: string };
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: 'http://localhost' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Failure(`The console let nobody in: ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const paths = ['patterns', 'intelligence/bandit', 'intelligence/drift', 'intelligence/campaigns/health'];
  let turn = 0;
  return () => {
    const path = `/api/c/${company.companyId}/${paths[turn++ % paths.length]}`;
    return {
      ...{ name: path, method: 'GET', path, headers: { Cookie: cookie, Origin: 'http://localhost' } },
      judge: ({ status }) => (status === 200 || status === 304 ? undefined : `status ${status}`),
    };
  };
}

function write(
  { report: path }: Options,
  parts: {
    report: Report;
    rates: Rates;
    minutes: Minutes;
    charts: string[];
    sampler: Sampler;
    closing: string;
    whole: Evidence;
    harmed: Evidence;
  },
) {
  const { report, rates, minutes, charts, sampler, closing, whole, harmed } = parts;
  const measuredAt = new Date().toISOString();
  const { lines } = report;
  const series = Object.fromEntries(sampler.series);
  const { errors, restarts } = sampler;
  const unexpected = { whole: whole.tally.unexpected, harmed: harmed.tally.unexpected };
  writeJson(`${path}.json`, {
    measuredAt,
    rates,
    lines,
    rows: minutes.rows,
    unexpected,
    errors,
    restarts,
    questions: questionTimes(whole.tally, whole.from, whole.to),
    series,
  });
  const load = measured.map((kind) => `${kind} ${rates[kind].toFixed(1)} requests/s`).join(', ');
  const head = [`${measuredAt}, Node ${process.version}`, `Load: ${load}`, closing];
  writeFileSync(`${path}.md`, markdown({ title: 'Soak', head, lines, rows: minutes.rows, charts }), {
    mode: 0o600,
  });
  console.log(`Written to ${path}.json and ${path}.md.`);
}
