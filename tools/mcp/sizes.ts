import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import type { Section } from './section.ts';

const section = 'sizes';
const limit = 8_192;
const { tools } = JSON.parse(readFileSync(join(root, 'apps/mcp-gateway/tool-definitions.json'), 'utf8'));
const needed: Record<string, object> = {
  get_campaign_health: { campaign_id: 'campaign-1' },
  get_recipient_intelligence: { contact_id: 'recipient-1' },
};

/** What an agent that asks for nothing more gets, of an analysed company. */
export async function verifySizes({ gateway: { url, apiKey }, report }: Section) {
  for (const { name } of tools) {
    const params = { name, arguments: needed[name] ?? {} };
    const answer = await fetch(url, {
      method: 'POST',
      signal: AbortSignal.timeout(30_000),
      headers: {
        Authorization: `Bearer ${apiKey}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const data = /^data: (.*)$/m.exec(await answer.text())?.[1] ?? '{}';
    const text = String(JSON.parse(data).result?.content?.[0]?.text ?? '');
    const bytes = Buffer.byteLength(text);
    report.add(section, `${name} within 8 KB`, bytes > 0 && bytes <= limit, `${bytes} bytes`);
  }
}
