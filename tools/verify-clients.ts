// `npm run verify:clients`: both clients, built, tested against running services at full size, and packed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { verifyPython } from './clients/python.ts';
import { packTypescript } from './clients/typescript.ts';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory, localDirectory, requireFreeSpace } from './local/settings.mjs';
import { Report } from './mcp/report.ts';
import { printResults, runSuite } from './suites.ts';

const names = ['typescript', 'python'];
const packed = join(localDirectory, 'clients');
/** How long the suites of the TypeScript client may take. */
const LONGEST_MINUTES = 20;
const help = `Usage: npm run verify:clients [-- SECTION ...]

Builds the clients, sends through a proxy that drops, delays and refuses, and counts: every event once. Packs both into
.local/clients. Beside each stands a client that names events anew for each attempt and has to be found.

  typescript   libs/client: 20,000 events; size, types, both ways to import (npm test sends 1,000); npm pack
  python       clients/python: generated, mypy --strict, 2,000 events, a wheel. NOT RUN, which is a failure, where
               python3 or its packages cannot be had`;

async function verify(chosen: readonly string[]) {
  ensureLocalDirectory();
  await requireFreeSpace(1_500);
  await build(new AbortController().signal);
  const report = new Report();
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-clients-'));
  const suites = [];
  try {
    for (const name of chosen) {
      console.log(`\n== ${name}`);
      const parts = { report, folder, packed: join(packed, name) };
      if (name === 'python') await verifyPython(parts);
      else {
        suites.push(
          await runSuite('typescript', ['surfaces-e2e', 'surfaces-e2e/test/clients\\.'], LONGEST_MINUTES),
        );
        suites.push(await runSuite('package', ['client', 'libs/client/'], LONGEST_MINUTES));
        await packTypescript(parts);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (suites.length > 0) printResults(suites);
  console.log(
    `\n${report.lines.length - report.failures} of ${report.lines.length} lines hold. Packages: ${packed}`,
  );
  if (report.failures > 0) process.exitCode = 1;
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  const chosen = names.filter((name) => positionals.length === 0 || positionals.includes(name));
  await verify(chosen);
});
