import { stat } from 'node:fs/promises';
import { addressHashOf, recipientShaOf } from '@outcomes/persistence';
import { escapeLiteral, type Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Deed } from '@outcomes/audit';
import { subjectSha256 } from '@outcomes/ingestion';
import { asBackupReader } from '../backup/backup-login';
import { recordReading } from '../backup/record-reading';
import { tablesOf } from '../backup/table-prints';
import { CliFailure } from '../output/cli-failure';
import { writeWholeFile } from '../output/whole-file';

export interface CompanyExport {
  readonly file: string;
  readonly rows: number;
}

/** What proves a key, an invitation or a source is nobody's to read, hashed or not. */
const LEFT_OUT: readonly string[] = [
  'secret_sha256',
  'invitation_sha256',
  'token_sha256',
  'previous_token_sha256',
  'signing_secret',
  'previous_signing_secret',
];

/**
 * Writes all that is stored of a company, or of one of its recipients, as a JSON document a line: the table and its row.
 * Memory is that of one row, and all rows are of one state of the database.
 * @param url - as `asBackupReader` takes it
 * @param recipientId - whose, as events name it; everything of the company where undefined
 */
export async function exportCompany(
  url: string,
  deed: Deed,
  companyId: string,
  file: string,
  recipientId: string | undefined,
): Promise<CompanyExport> {
  if (await stat(file).catch(() => undefined))
    throw new CliFailure(`${file} already exists; choose another file or remove it.`);
  return asBackupReader(url, async (client) => {
    await recordReading(client, companyId, {
      ...{ ...deed, action: recipientId === undefined ? 'company.export' : 'recipient.export' },
      subject: recipientId === undefined ? null : subjectSha256(companyId, recipientId),
      occurredAt: new Date(),
    });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const known = await client.query('SELECT FROM companies WHERE company_id = $1', [companyId]);
    if (known.rowCount === 0)
      throw new CliFailure(`there is no company ${companyId}; see "outcomes company list".`);
    const counter = { rows: 0 };
    await writeWholeFile(file, linesOf(client, companyId, recipientId, counter));
    return { file, rows: counter.rows };
  });
}

async function* linesOf(
  client: Client,
  companyId: string,
  recipientId: string | undefined,
  counter: { rows: number },
): AsyncGenerator<Buffer> {
  for (const { name, columns } of await tablesOf(client)) {
    const condition = recipientId === undefined ? 'true' : conditionOf(columns, companyId, recipientId);
    if (condition === undefined || !columns.includes('company_id')) continue;
    const left = LEFT_OUT.map((column) => escapeLiteral(column)).join(', ');
    // As CSV with marks that JSON cannot hold: each document stands on its line as it is.
    const rows = client.query(
      copyTo(`COPY (SELECT json_build_object('table', '${name}', 'row', to_jsonb(stored) - ARRAY[${left}])
        FROM "${name}" AS stored WHERE company_id = ${escapeLiteral(companyId)} AND (${condition}))
        TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`),
    );
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) counter.rows += 1;
      yield chunk;
    }
  }
}

/** @returns which rows of a table are about a recipient, by its id or by the addresses that its events name */
function conditionOf(columns: readonly string[], companyId: string, recipientId: string): string | undefined {
  const id = escapeLiteral(recipientId);
  const addresses = [
    `SELECT recipient_hash FROM outcome_events WHERE company_id = ${escapeLiteral(companyId)}
       AND recipient_id = ${id} AND recipient_hash IS NOT NULL`,
    `SELECT ${escapeLiteral(addressHashOf(recipientId))}`,
  ].join(' UNION ALL ');
  const conditions = [
    ['recipient_id', `recipient_id = ${id}`],
    ['contact_id', `contact_id = ${id}`],
    ['recipient_ids', `${id} = ANY (recipient_ids)`],
    ['recipient_sha', `recipient_sha = ${escapeLiteral(recipientShaOf(recipientId))}`],
    ['recipient_shas', `${escapeLiteral(recipientShaOf(recipientId))} = ANY (recipient_shas)`],
    ['recipient_hash', `recipient_hash IN (${addresses})`],
    // Whoever answered under the address as an id blocks everybody at it.
    ['id_address_hash', `id_address_hash IN (${addresses})`],
    ['address_hashes', `address_hashes && ARRAY(${addresses})::text[]`],
  ].filter(([column]) => columns.includes(column ?? ''));
  return conditions.length === 0 ? undefined : conditions.map(([, condition]) => condition).join(' OR ');
}
