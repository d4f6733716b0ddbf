import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS, faultyProxy } from '@outcomes/testing';
import { send } from '../bench/load.ts';
import { withServers } from '../bench/servers.ts';
import { Failure } from '../local/failure.mjs';
import { onPath, run } from '../local/processes.mjs';
import type { Report } from '../mcp/report.ts';
import { analyse, startService } from '../mcp/servers.ts';
import { GENERATOR, layOut } from './python-package.ts';
import type { Section } from './section.ts';

const section = 'python';
const TOOLS = [GENERATOR, 'pytest==9.0.1', 'mypy==1.18.2', 'build==1.6.1'];
const MINUTE_MS = 60_000;
/** What the tests send (clients/python/tests/test_service.py). */
const EVENTS = 2_000;

/** Makes the Python client, checks its types, tests it against running services, and packs it. */
export async function verifyPython({ report, folder, packed }: Section) {
  if (!onPath('python3')) return report.notRun(section, 'the Python client', 'python3 is not on the PATH');
  const bin = join(folder, 'venv/bin');
  const made = await attempt(['python3', '-m', 'venv', join(folder, 'venv')], folder);
  const installed =
    made ?? (await attempt([join(bin, 'python'), '-m', 'pip', 'install', '-q', ...TOOLS], folder));
  if (installed) return report.notRun(section, 'the Python client', installed);
  const inVenv = ([name = '', ...args]: string[], environment: Record<string, string> = {}) =>
    run([join(bin, name), ...args], {
      cwd: join(folder, 'package'),
      env: { ...process.env, ...environment },
      timeout: 10 * MINUTE_MS,
    });
  await layOut(join(folder, 'package'), async ([name = '', ...args]) => {
    const { code, output } = await run([join(bin, name), ...args], {
      cwd: folder,
      env: process.env,
      timeout: 5 * MINUTE_MS,
    });
    if (code !== 0) throw new Failure(output.trim().slice(-500));
  });
  report.add(section, `${GENERATOR}: both APIs are generated`, true, 'no warning');

  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed, { recursive: true });
  const built = await inVenv(['python', '-m', 'build', '--wheel', '--outdir', packed]);
  const [wheel] = existsSync(packed) ? readdirSync(packed).filter((name) => name.endsWith('.whl')) : [];
  report.add(
    section,
    'a wheel is built',
    built.code === 0 && wheel !== undefined,
    wheel ?? lastLine(built.output),
  );
  if (!wheel) return;
  // What is tested is what others would install.
  const install = await inVenv(['python', '-m', 'pip', 'install', '-q', join(packed, wheel)]);
  report.add(
    section,
    'it installs',
    install.code === 0,
    install.code === 0 ? 'with its dependencies' : lastLine(install.output),
  );

  for (const [what, ...args] of [
    ['the package', '-p', 'outcomes_client'],
    ['its tests', 'tests'],
  ]) {
    const { code, output } = await inVenv(['mypy', '--strict', ...args]);
    report.add(section, `mypy --strict finds nothing in ${what}`, code === 0, lastLine(output));
  }
  const readme = readFileSync(join(folder, 'package/README.md'), 'utf8');
  const shown = await inVenv([
    'mypy',
    '--strict',
    '-c',
    /```python\n(.*?)```/s.exec(readme)?.[1] ?? 'nothing',
  ]);
  report.add(section, 'nor in what its README shows', shown.code === 0, lastLine(shown.output));
  const wrong = await inVenv(['mypy', '--strict', '-c', WRONG_USE]);
  const found = wrong.output.match(/ error: /g)?.length ?? 0;
  report.add(section, 'mypy finds each of 3 wrong uses', found === 3, `${found} errors`);
  await verifyAgainstServices(inVenv, report);
}

/** A channel that there is not, an event without a recipient, a field of an answer that there is not. */
const WRONG_USE = `
from outcomes_client import OutcomesClient
from outcomes_client.read_api.api.intelligence import drift
outcomes = OutcomesClient("svc_")
queue = outcomes.events()
queue.add({"channel": "fax", "sequence_step": 0, "recipient_id": "a"})
queue.add({"channel": "email", "sequence_step": 0})
answer = drift.sync(client=outcomes.reads)
assert answer
print(answer.data.weather)
`;

async function verifyAgainstServices(
  inVenv: (
    command: string[],
    environment?: Record<string, string>,
  ) => Promise<{ code: number; output: string }>,
  report: Report,
) {
  await withServers(async (servers) => {
    const { logins, pool, companyId, apiKey, newCompany } = servers;
    const ingest = await startService(servers, 'ingest-api', logins.ingestApi);
    await startService(servers, 'analysis-worker', logins.analysisWorker);
    const read = await startService(servers, 'read-api', logins.readApi);
    await send({
      url: `${ingest}/ingest/events`,
      headers: { Authorization: `Bearer ${apiKey}` },
      ...{ connections: 1, bodies: [analysedEvents()], accepted: 100 },
    });
    await analyse(servers);
    const [unlucky, mutant] = [await newCompany(), await newCompany()];
    const proxy = await faultyProxy(ingest, (n) => FAULTS[n % 9] ?? 'none');
    try {
      const keys = { unlucky: unlucky.apiKey, mutant: mutant.apiKey, analysed: apiKey };
      const settings = JSON.stringify({ proxy: proxy.url, ingest, read: `${read}/v1`, keys });
      const { code, output } = await inVenv(['pytest', '-q', '-p', 'no:cacheprovider'], {
        OUTCOMES_TEST: settings,
      });
      const isWhole = code === 0 && !/skipped/.test(output);
      report.add(
        section,
        'its tests pass, none left out',
        isWhole,
        isWhole ? lastLine(output) : output.trim().slice(-2_000),
      );
    } finally {
      await proxy.close();
    }
    const rows = async (company: string) => {
      const sql =
        'SELECT count(*)::int AS n, count(DISTINCT recipient_id)::int AS people FROM outcome_events WHERE company_id = $1';
      return (await pool.query(sql, [company])).rows[0];
    };
    const once = await rows(unlucky.companyId);
    const met = JSON.stringify(proxy.met);
    const measured = `${once.n} rows of ${EVENTS} events; requests by what befell them: ${met}`;
    report.add(section, 'every event is stored once', once.n === EVENTS && once.people === EVENTS, measured);
    const twice = await rows(mutant.companyId);
    report.add(
      section,
      'a client that names events anew for each attempt is found',
      twice.n > EVENTS,
      `${twice.n} rows`,
    );
    const isApart = (await rows(companyId)).people === 101;
    report.add(section, 'CSV is stored, of its company alone', isApart, '101 recipients');
  });
}

/** What the tests read back: 100 people, of whom 10 have answered, in 7 campaigns. */
function analysedEvents() {
  const events = Array.from({ length: 100 }, (_nothing, n) => ({
    channel: 'email',
    sequence_step: 0,
    recipient_id: `person-${n}`,
    sent_at: '2026-01-05T09:30:00Z',
    outcome: n % 10 === 0 ? 'responded' : 'no_response',
    outcome_at: '2026-01-08T09:30:00Z',
    metadata: { campaign_id: `campaign-${n % 7}` },
  }));
  return Buffer.from(JSON.stringify({ events }));
}

/** @returns why it fails */
async function attempt(command: string[], folder: string): Promise<string | undefined> {
  const { code, output } = await run(command, { cwd: folder, env: process.env, timeout: 5 * MINUTE_MS });
  return code === 0 ? undefined : lastLine(output) || 'it fails';
}

function lastLine(output: string) {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
