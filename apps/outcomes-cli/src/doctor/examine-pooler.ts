import { clientConfig, keepsStatements } from '@outcomes/persistence';
import type { Pooler } from '@outcomes/platform/process';
import { failureLine } from '../output/cli-failure';
import { fault, ok, unknown, type Finding } from './finding';

const TIMEOUT_MS = 5_000;
const check = 'pooler';
const ADVICE: Readonly<Record<Exclude<Pooler, 'transaction'>, string>> = {
  none: 'there is a pooler in transaction mode, but DATABASE_POOLER is not set',
  'transaction-prepared':
    'the pooler does not support prepared statements; set its max_prepared_statements, or DATABASE_POOLER to transaction',
};

/**
 * Whether statements keep their names on the way to Postgres, where services give them any.
 * @param url - of any login, as services have it
 */
export async function examinePooler(url: string, pooler: Pooler): Promise<Finding> {
  if (pooler === 'transaction') return ok(check, 'statements are unnamed, as required behind any pooler');
  const options = { applicationName: 'outcomes-doctor', statementTimeoutMs: TIMEOUT_MS };
  try {
    const isKept = await keepsStatements(
      clientConfig({ ...options, url, connectTimeoutMs: TIMEOUT_MS, pooler }),
    );
    return isKept
      ? ok(check, 'statements keep their names')
      : fault(check, `statements are mixed up: ${ADVICE[pooler]}`);
  } catch (error) {
    // That a login is refused is said where it is tried.
    return unknown(check, `not checked (${failureLine(error)})`);
  }
}
