import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@outcomes/contracts';
import { TEXT_TYPES, type Column } from './tenant-columns';

/** Rows of each table. */
export const ROWS = 30;
/** As deliveries name it. */
const sourceOf = (canary: string, row: number) =>
  `src_${canary}${String(row).padStart(22 - canary.length, '0')}`;
/** What has to have a form, and still carries the canary where it is a text; a key_id is sixteen letters and digits. */
const SHAPED: Readonly<Record<string, (canary: string, row: number) => unknown>> = {
  'api_keys.key_id': (canary, row) => `${canary}${String(row).padStart(16 - canary.length, '0')}`,
  'sources.source_id': sourceOf,
  'source_types.source_id': sourceOf,
  'held_deliveries.source_id': sourceOf,
  'workflow_decisions.inputs': (canary) => JSON.stringify({ text: `${canary}_inputs` }),
  'workflow_decisions.result': (canary) => JSON.stringify({ text: `${canary}_result` }),
  'claims.is_up': () => true,
};

/** What stands in a column of one planted row: the canary in every text, and what the schema asks for elsewhere. */
export function valueOf(
  { table, column, type, required, listed }: Column,
  companyId: string,
  canary: string,
  row: number,
): unknown {
  const name = `${table}.${column}`;
  if (column === 'company_id') return companyId;
  const text = `${canary}_${table}_${column}_${row}`;
  // Readers ask for what succeeded.
  const fixed =
    listed?.match(/'(success|succeeded)'/)?.[1] ??
    listed?.match(/'(\w+)'/)?.[1] ??
    SHAPED[name]?.(canary, row);
  if (fixed !== undefined) return fixed;
  if (isAbsent(name, row)) return null;
  // Messages of three weeks ago, half of them answered, two by two from one address.
  if (table === 'touches' && column === 'outcome') return row % 2;
  if (column === 'recipient_hash') return `${canary}_hash_${row >> 1}`;
  if (column === 'recipient_id') return `${canary}_recipient_${row}`;
  if (column === 'campaign_id') return `${canary}_campaign_${row % 5}`;
  if (!required && !TEXT_TYPES.includes(type)) return null;
  switch (type) {
    case 'uuid':
      return randomUUID();
    case 'text':
    case 'varchar':
      return text;
    case '_text':
    case '_varchar':
      return [text];
    case 'json':
    case 'jsonb':
      return JSON.stringify({ text });
    case 'bytea':
      return Buffer.alloc(32, row);
    case 'float4':
    case 'float8':
      return 0.5;
    case 'bool':
      return true;
    case 'date':
      return new Date(Date.now() - (row + 20) * DAY_MS).toISOString().slice(0, 10);
    case 'timestamptz':
      return new Date(Date.now() - (row % 9) * DAY_MS - (column === 'sent_at' ? 20 : 0) * DAY_MS);
    default:
      return type.startsWith('_') ? '{}' : row + 1;
  }
}

/** The last message names no address; the list names a recipient or an address, by turns. */
function isAbsent(name: string, row: number): boolean {
  if (name === 'touches.recipient_hash') return row === ROWS - 1;
  if (name === 'suppression_list.recipient_hash') return row % 2 === 0;
  return row % 2 === 1 && ['suppression_list.recipient_id', 'suppression_list.recipient_sha'].includes(name);
}
