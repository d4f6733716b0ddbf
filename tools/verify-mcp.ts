// `npm run verify:mcp`: the MCP gateway against tools and clients that others wrote, and its audit rows at volume.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withServers } from './bench/servers.ts';
import { Failure } from './local/failure.mjs';
import { build } from './local/install.mjs';
import { program } from './local/program.mjs';
import { ensureLocalDirectory, localDirectory, requireFreeSpace, writeJson } from './local/settings.mjs';
import { Report } from './mcp/report.ts';
import type { Section } from './mcp/section.ts';
import { startGateway } from './mcp/servers.ts';

const help = `Usage: npm run verify:mcp [-- --short] [-- SECTION ...]

Starts a Postgres, a Redis and the built services, and prints one line per promise of the MCP gateway with PASS, FAIL
or NOT RUN, which is a failure. The conformance suites and the Inspector come from the registry in pinned versions.
About two minutes; the lines also go to .local/mcp.json.

  --short   1,000 calls for the audit section instead of 10,000
  SECTION   some of: sizes conformance inspector mcp-remote audit`;

const sections: Record<string, () => Promise<(section: Section) => Promise<void>>> = {
  sizes: async () => (await import('./mcp/sizes.ts')).verifySizes,
  conformance: async () => (await import('./mcp/conformance.ts')).verifyConformance,
  inspector: async () => (await import('./mcp/inspector.ts')).verifyInspector,
  'mcp-remote': async () => (await import('./mcp/remote.ts')).verifyRemote,
  audit: async () => (await import('./mcp/volume.ts')).verifyVolume,
};

async function verify(names: string[], isShort: boolean) {
  ensureLocalDirectory();
  await requireFreeSpace(1_000);
  await build(new AbortController().signal);
  const report = new Report();
  const folder = mkdtempSync(join(tmpdir(), 'outcomes-mcp-'));
  try {
    await withServers(async (servers) => {
      const gateway = await startGateway(servers);
      for (const name of names) await runSection(name, { gateway, report, folder, isShort });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { lines, failures } = report;
  console.log(`\n${lines.length - failures} of ${lines.length} lines hold.`);
  writeJson(join(localDirectory, 'mcp.json'), {
    measuredAt: new Date().toISOString(),
    isShort,
    names,
    lines,
  });
  if (failures > 0) process.exitCode = 1;
}

async function runSection(name: string, section: Section) {
  try {
    await (
      await sections[name]?.()
    )?.(section);
  } catch (error) {
    section.report.notRun(
      name,
      'the rest of the section',
      error instanceof Error ? error.message : String(error),
    );
    if (!(error instanceof Failure)) console.error(error);
  }
}

await program(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return console.log(help);
  const unknown = positionals.find((name) => !Object.hasOwn(sections, name));
  if (unknown) throw new Failure(`There is no section ${unknown}.\n${help}`);
  const names = positionals.length > 0 ? positionals : Object.keys(sections);
  await verify(names, values.short);
});
