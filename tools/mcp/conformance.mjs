// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import { startProxy } from './key-adding-proxy.mjs';
import { PinnedPackage } from './pinned-package.mjs';

const section = 'conformance';
const baseline = join(root, 'apps/mcp-gateway/conformance-baseline.yml');
/** How many scenarios ask for the suite's own fixtures, or for what this server does not offer. It may only shrink. */
const agreed = 25;
/** Scenarios that say something about any server. */
const required = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** @param {import('./section.mjs').Section} parts */
export async function verifyConformance({ gateway, report, folder }) {
  const listed = readFileSync(baseline, 'utf8').match(/^ {2}- /gm)?.length ?? 0;
  report.add(section, 'the baseline is no larger than agreed', listed <= agreed, `${listed} of ${agreed}`);
  const suite = new PinnedPackage('@modelcontextprotocol/conformance@0.1.16', 'conformance', folder);
  const missing = await suite.missing();
  if (missing) return report.notRun(section, 'the official suite', missing);
  const proxy = await startProxy(gateway);
  try {
    const run = (/** @type {string[]} */ ...more) =>
      suite.run(['server', '--url', proxy.url, '--suite', 'all', ...more]);
    for (const [name, options] of /** @type {const} */ ([
      ['suite all', []],
      ['requirements of 2025-11-25', ['--spec-version', '2025-11-25']],
    ])) {
      const { code, output } = await run(...options, '--expected-failures', baseline);
      const failed = required.filter((scenario) => !output.includes(`✓ ${scenario}:`));
      const total = /Total: .*/.exec(output)?.[0] ?? 'no total';
      const holds = code === 0 && failed.length === 0;
      const measured = `${total}, exit code ${code}${failed.length > 0 ? `, failed: ${failed.join(', ')}` : ''}`;
      report.add(section, `${name}, nothing fails beyond the baseline`, holds, measured);
    }
    // The check must be able to fail: without the baseline the suite does.
    const { code } = await run();
    report.add(section, 'without the baseline it fails', code !== 0, `exit code ${code}`);
  } finally {
    proxy.close();
  }
}
