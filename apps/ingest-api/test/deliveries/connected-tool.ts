import { createHmac, hash } from 'node:crypto';
import { randomBase62, SecretBox } from '@outcomes/platform/secrets';
import type { Answer, Tenant } from '@outcomes/testing';
import { checkedRequest, type SharedIngestApi } from '../ingest-api-process';

/** Of the service that suites share, so that what one of them seals here is opened there. */
export const SECRETS_KEY = Buffer.from('32 bytes that are secret to none').toString('base64');
export const SECRET = '0123456789abcdefghijABCDEFGHIJ01';

/** A source as it is stored, and a tool that delivers to it. */
export async function connectTool(api: SharedIngestApi, tool: string, { companyId }: Tenant = api.tenant) {
  const sourceId = `src_${randomBase62(22)}`;
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
  { baseUrl }: SharedIngestApi,
  tool: string,
  sourceId: string,
  body: unknown,
  { secret = SECRET, headers = {}, sent, path }: Changed,
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const proof: Record<string, string> =
    tool === 'outreach'
      ? { 'outreach-webhook-signature': createHmac('sha256', secret).update(text).digest('hex') }
      : tool === 'instantly'
        ? { 'x-outcomes-secret': secret }
        : {};
  const inPath = tool === 'outreach' || tool === 'instantly' ? '' : `/${secret}`;
  return checkedRequest(baseUrl, path ?? `/ingest/sources/${sourceId}${inPath}`, {
    headers: { 'Content-Type': 'text/plain', ...proof, ...headers },
    body: sent ?? text,
  });
}

interface HeldRow {
  readonly company_id: string;
  readonly held_id: string;
  readonly reason: string;
  readonly recipient_shas: readonly string[];
  readonly address_hashes: readonly string[];
  readonly sealed: Buffer;
}

/** What is held of a source: as it is stored, and what it says. */
export async function heldOf({ database }: SharedIngestApi, sourceId: string) {
  const rows = await database.query<HeldRow>('SELECT * FROM held_deliveries WHERE source_id = $1', [
    sourceId,
  ]);
  return rows.map((row) => {
    const opened = new SecretBox(SECRETS_KEY).open(row.sealed, ownerOf(row, sourceId));
    return { row, fields: JSON.parse(opened ?? 'null') as Record<string, unknown> };
  });
}

/** Has a held record say something else. */
export async function changeHeld(api: SharedIngestApi, sourceId: string, more: object): Promise<void> {
  for (const { row, fields } of await heldOf(api, sourceId))
    await api.database.query('UPDATE held_deliveries SET sealed = $2 WHERE held_id = $1', [
      row.held_id,
      new SecretBox(SECRETS_KEY).seal(JSON.stringify({ ...fields, ...more }), ownerOf(row, sourceId)),
    ]);
}

const ownerOf = (row: Pick<HeldRow, 'company_id' | 'held_id'>, sourceId: string) =>
  `${row.company_id}/${sourceId}/${row.held_id}`;

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
