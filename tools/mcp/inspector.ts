import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import { PinnedPackage } from './pinned-package.ts';
import type { Section } from './section.ts';

const section = 'inspector';
const { tools } = JSON.parse(readFileSync(join(root, 'apps/mcp-gateway/tool-definitions.json'), 'utf8'));
const needed: Record<string, object> = {
  get_campaign_health: { campaign_id: 'campaign-1' },
  get_recipient_intelligence: { contact_id: 'recipient-1' },
};
/** By name, an argument where one is needed, and what the text names. */
const prompts: Record<string, { given?: string; says: string }> = {
  assess_data_trust: { says: 'get_drift_state' },
  brief_on_contact: { given: 'contact_id=recipient-1', says: '"recipient-1"' },
  diagnose_campaign: { given: 'campaign_id=campaign-1', says: '"campaign-1"' },
  plan_today: { says: 'get_workflow_decisions' },
};
const references = ['alerts', 'freshness', 'trust-model'].map((name) => `svc://reference/${name}`);

export async function verifyInspector({ gateway, report, folder }: Section) {
  const inspector = new PinnedPackage('@modelcontextprotocol/inspector@2.12.0', 'mcp-inspector', folder);
  const missing = await inspector.missing();
  if (missing) return report.notRun(section, 'the official client on the command line', missing);
  const server = ['--cli', '--server-url', gateway.url, '--transport', 'http', '--format', 'json', '--quiet'];
  const check = async (args: string[], isRight: (result: any) => boolean) => {
    // Headers last: the option takes all words up to the next one.
    const key = ['--header', `Authorization: Bearer ${gateway.apiKey}`];
    const { code, stdout } = await inspector.run([...server, ...args, ...key], 60_000, {
      MCP_CATALOG_PATH: join(folder, 'catalog.json'),
      MCP_CLIENT_CONFIG_PATH: join(folder, 'client.json'),
    });
    const holds = code === 0 && isRight(JSON.parse(stdout).result);
    report.add(
      section,
      args.filter((word) => !/^--(method|tool-name|uri|prompt-name)$/.test(word)).join(' '),
      holds,
      `exit code ${code}`,
    );
  };
  await check(['--method', 'tools/list', '--strict'], (result) => result.tools.length === tools.length);
  for (const { name } of tools) {
    const args = ['--tool-args-json', JSON.stringify(needed[name] ?? {})];
    await check(
      ['--method', 'tools/call', '--tool-name', name, ...args],
      (result) => result.structuredContent.tenant_id === gateway.companyId,
    );
  }
  await check(['--method', 'resources/list'], (result) => result.resources.length === references.length);
  for (const uri of references) {
    await check(['--method', 'resources/read', '--uri', uri], (result) => result.contents[0].uri === uri);
  }
  await check(['--method', 'resources/templates/list'], (result) => result.resourceTemplates.length === 0);
  const isSame = (found: { name: string }[]) =>
    found
      .map(({ name }) => name)
      .sort()
      .join() === Object.keys(prompts).sort().join();
  await check(['--method', 'prompts/list'], (result) => isSame(result.prompts));
  for (const [name, { given, says }] of Object.entries(prompts)) {
    const args = given === undefined ? [] : ['--prompt-args', given];
    await check(['--method', 'prompts/get', '--prompt-name', name, ...args], ({ messages }) =>
      messages[0].content.text.includes(says),
    );
  }
}
