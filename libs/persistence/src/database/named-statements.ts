import { randomUUID } from 'node:crypto';
import type { ReadsConfig } from '@outcomes/tenancy';
import { Client, DatabaseError } from 'pg';

/** Another client may hold the connection that would have told; a few times in a row none does. */
const ROUNDS = 3;
/** What Postgres says where a name is of somebody else, or of nobody: duplicate_prepared_statement, invalid_sql_statement_name. */
const MIXED_UP: readonly (string | undefined)[] = ['42P05', '26000'];

/**
 * Whether a client finds its statements by their names again, whatever another one calls by the same name. Behind a pooler
 * in transaction mode that knows nothing of prepared statements, both meet on one connection to Postgres.
 * @throws whatever the driver does where it cannot connect
 */
export async function keepsStatements(config: ReadsConfig): Promise<boolean> {
  const clients = [clientOf(config), clientOf(config)] as const;
  try {
    const [first, second] = clients;
    await first.connect();
    await second.connect();
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `probe_${randomUUID()}`;
      await first.query({ name, text: 'SELECT 1' });
      await second.query({ name, text: 'SELECT 2' });
      await first.query({ name, text: 'SELECT 1' });
    }
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && MIXED_UP.includes(error.code)) return false;
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function clientOf(config: ReadsConfig): Client {
  const client = new (config.Client ?? Client)(config);
  client.on('error', () => undefined);
  return client;
}
