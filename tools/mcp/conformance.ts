import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import { startProxy } from './key-adding-proxy.ts';
import { PinnedPackage } from './pinned-package.ts';
import type { Report } from './report.ts';
import type { Section } from './section.ts';

const section = 'conformance';

/**
 * The suite of an era. `agreed`: how many scenarios may ask for the suite's own fixtures, or for what this server does
 * not offer; it may only shrink. `required`: scenarios that say something about any server.
 */
interface Suite {
  name: string;
  baseline: string;
  agreed: number;
  runs: Record<string, string[]>;
  required: string[];
  figures?: Record<string, string>;
}

const suites: Suite[] = [
  {
    name: '@modelcontextprotocol/conformance@0.1.16',
    baseline: 'conformance-baseline.yml',
    agreed: 25,
    runs: {
      'suite all': ['--suite', 'all'],
      'requirements of 2025-11-25': ['--suite', 'all', '--spec-version', '2025-11-25'],
    },
    required: [
      'server-initialize',
      'ping',
      'completion-complete',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ],
  },
  {
    name: '@modelcontextprotocol/conformance@0.2.0-alpha.12',
    baseline: 'conformance-baseline-2026-07-28.yml',
    agreed: 27,
    runs: { 'requirements of 2026-07-28': ['--requirements', '2026-07-28'] },
    required: [
      'completion-complete',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
      'caching',
      'sep-2164-resource-not-found',
    ],
    // Of these every check is looked at: the first is in the baseline for its fixture tools alone.
    figures: {
      'server-stateless': '21/25, 4 failed',
      'http-header-validation': '14/14, 0 failed',
      caching: '8/8, 0 failed',
      'sep-2164-resource-not-found': '4/4, 0 failed',
    },
  },
];

export async function verifyConformance({ gateway, report, folder }: Section) {
  const proxy = await startProxy(gateway);
  try {
    for (const suite of suites) await verifySuite(suite, { url: proxy.url, report, folder });
  } finally {
    proxy.close();
  }
}

async function verifySuite(
  { name, baseline, agreed, runs, required, figures = {} }: Suite,
  { url, report, folder }: { url: string; report: Report; folder: string },
) {
  const path = join(root, 'apps/mcp-gateway', baseline);
  const listed = readFileSync(path, 'utf8').match(/^ {2}- /gm)?.length ?? 0;
  report.add(section, `${baseline} is no larger than agreed`, listed <= agreed, `${listed} of ${agreed}`);
  const suite = new PinnedPackage(name, 'conformance', folder);
  const missing = await suite.missing();
  if (missing) return report.notRun(section, name, missing);
  const run = (...more: string[]) => suite.run(['server', '--url', url, ...more], 300_000);
  for (const [title, options] of Object.entries(runs)) {
    const { code, output } = await run(...options, '--expected-failures', path);
    const failed = required.filter((scenario) => !output.includes(`✓ ${scenario}:`));
    const total = /Total: .*/.exec(output)?.[0] ?? 'no total';
    const holds = code === 0 && failed.length === 0;
    const measured = `${total}, exit code ${code}${failed.length > 0 ? `, failed: ${failed.join(', ')}` : ''}`;
    report.add(section, `${title}, nothing fails beyond the baseline`, holds, measured);
  }
  for (const [scenario, figure] of Object.entries(figures)) {
    const { output } = await run('--scenario', scenario, '--spec-version', '2026-07-28');
    const measured = /Passed: .*/.exec(output)?.[0] ?? 'no figure';
    report.add(section, `${scenario}: ${figure}`, measured.includes(figure), measured);
  }
  // The check must be able to fail: without the baseline the suite does.
  const { code } = await run(...(Object.values(runs)[0] ?? []));
  report.add(section, `${name} fails without the baseline`, code !== 0, `exit code ${code}`);
}
