// @ts-check
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from './copied-project.fixture.mjs';
import { freePort } from './ports.mjs';
import { run } from './processes.mjs';
import { root } from './settings.mjs';

/** Stands in for a service: ready at once, and it ends when it is told to. */
const service = `
  const { createServer } = require('node:http');
  for (const name of ['DATABASE_URL', 'REDIS_URL']) if (!process.env[name]) throw new Error(name + ' is missing');
  const ports = [process.env.MANAGEMENT_PORT, process.env.PORT].filter(Boolean);
  for (const port of ports) createServer((_, answer) => answer.end('fine')).listen(Number(port));
  process.on('SIGTERM', () => process.exit(0));`;

/** Stands in for the command line: counts its migrations and ingests once, as the real one does. */
const commandLine = `
  const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
  const [command, ...args] = process.argv.slice(2);
  const url = process.env.DATABASE_URL;
  appendFileSync('.local/commands', command + '\\n');
  if (command === 'migrate') console.log('{}');
  if (command === 'service-logins') {
    const names = ['readApi', 'ingestApi', 'mcpGateway', 'analysisWorker', 'console', 'cli'];
    console.log(JSON.stringify({ logins: Object.fromEntries(names.map((name) => [name, url])) }));
  }
  if (command === 'quickstart') {
    const [state, output] = [args[args.indexOf('--state') + 1], args[args.indexOf('--output') + 1]];
    console.log(existsSync(state) ? 'nothing to ingest' : 'ingesting');
    writeFileSync(state, '{}');
    writeFileSync(output, '{}');
  }`;

/**
 * A project with these tools and stand-ins for everything they start, on ports that are free.
 * @param {{ open?: boolean, copied?: boolean }} [options] `open`: any user may work in it; `copied`: also one who
 * cannot enter ours.
 */
export async function fakeProject({ open = false, copied = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-project-'));
  if (open) chmodSync(folder, 0o777);
  if (copied) await copyProject(folder);
  else {
    cpSync(join(root, 'tools/local'), join(folder, 'tools/local'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  }
  cpSync(join(root, 'tools/start.mjs'), join(folder, 'tools/start.mjs'));
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  const scripts = { start: 'node tools/start.mjs' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'fake', private: true, scripts }));
  writeFileSync(join(folder, 'nothing.d.ts'), '');
  const noEmit = { compilerOptions: { noEmit: true, types: [] }, files: ['nothing.d.ts'] };
  writeFileSync(join(folder, 'tsconfig.build.json'), JSON.stringify(noEmit));
  for (const app of ['read-api', 'ingest-api', 'mcp-gateway', 'analysis-worker', 'console', 'outcomes-cli']) {
    const bundle = join(folder, 'apps', app, 'bundle');
    mkdirSync(bundle, { recursive: true });
    writeFileSync(join(bundle, 'main.js'), app === 'outcomes-cli' ? commandLine : service);
  }
  // The stand-ins are bundles already.
  writeFileSync(join(folder, 'tools/bundle.mjs'), '');
  // Whatever mask the clone was made with.
  if (copied) await run(['chmod', '-R', 'a+rX', folder], { timeout: 30_000 });
  const variables = [
    ...['READ_API_PORT', 'INGEST_API_PORT', 'MCP_PORT', 'POSTGRES_PORT', 'REDIS_PORT'],
    ...['READ_API_MANAGEMENT_PORT', 'INGEST_API_MANAGEMENT_PORT', 'MCP_MANAGEMENT_PORT'],
    ...['ANALYSIS_WORKER_MANAGEMENT_PORT', 'CONSOLE_PORT', 'CONSOLE_MANAGEMENT_PORT'],
  ];
  const ports = Object.fromEntries(
    await Promise.all(variables.map(async (name) => [name, String(await freePort())])),
  );
  return { folder, ports, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
