import { createHmac, hash, randomBytes } from 'node:crypto';
import { SecretBox } from '@outcomes/ingestion';
import type { IngestApiProcess, Tenant } from '../ingest-api-process';

export const SECRETS_KEY = randomBytes(32).toString('base64');
export const SECRET = '0123456789abcdefghijABCDEFGHIJ01';

export interface Delivered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: ReturnType<JSON['parse']>;
}

/** A source as it is stored, and a tool that delivers to it. */
export async function connectTool(
  api: IngestApiProcess,
  tool: string,
  { companyId }: Tenant = api.tenant,
  suffix = tool.padEnd(22, '0').slice(0, 22),
) {
  const sourceId = `src_${suffix}`;
  const signs = tool === 'outreach' || tool === 'salesloft';
  await api.database.query(
    `INSERT INTO sources (company_id, source_id, tool, token_sha256, signing_secret, created_at)
     VALUES ($1, $2, $3, $4, $5, now())`,
    [
      ...[companyId, sourceId, tool],
      signs ? null : hash('sha256', SECRET, 'buffer'),
      signs ? new SecretBox(SECRETS_KEY).seal(SECRET, sourceId) : null,
    ],
  );
  return {
    sourceId,
    deliver: (body: unknown, changed: Changed = {}) => deliver(api, tool, sourceId, body, changed),
  };
}

interface Changed {
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is sent where it is not what was signed. */
  readonly sent?: string;
  readonly path?: string;
}

async function deliver(
  { baseUrl }: IngestApiProcess,
  tool: string,
  sourceId: string,
  body: unknown,
  { secret = SECRET, headers = {}, sent, path }: Changed,
): Promise<Delivered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const proof: Record<string, string> =
    tool === 'outreach'
      ? { 'outreach-webhook-signature': createHmac('sha256', secret).update(text).digest('hex') }
      : tool === 'instantly'
        ? { 'x-outcomes-secret': secret }
        : {};
  const inPath = tool === 'outreach' || tool === 'instantly' ? '' : `/${secret}`;
  const response = await fetch(`${baseUrl}${path ?? `/ingest/sources/${sourceId}${inPath}`}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', ...proof, ...headers },
    body: sent ?? text,
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, body: JSON.parse(answer) };
}

/** A delivery of Smartlead. */
export const smartlead = (event_type: string, more: object = {}) => ({
  ...{ event_type, stats_id: 'f3a9', campaign_id: 111, campaign_name: 'Spring', sequence_number: 1 },
  ...{ subject: 'A question', to_email: 'ada@example.com', event_timestamp: '2026-01-05T09:00:00.000+00:00' },
  ...more,
});

/** A delivery of Outreach. */
export const outreach = (eventName: string, attributes: object, step = 198394) => ({
  data: {
    ...{ type: 'mailing', id: 9001, attributes },
    relationships: {
      prospect: { type: 'prospect', id: 7 },
      sequence: { type: 'sequence', id: 3 },
      sequenceStep: { type: 'sequenceStep', id: step },
    },
  },
  meta: { eventName, deliveredAt: '2026-01-05T09:00:01.000+00:00' },
});
