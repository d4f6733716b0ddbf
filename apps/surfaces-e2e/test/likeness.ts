import type { Answer } from './exchange';
import type { Identifiers, Probe } from './probes';

/** Kinds of identifiers that are the same for everybody. */
const PUBLIC = ['metric', 'document'];
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/**
 * The same identifiers with one character changed: of the same form and at the same place of every order, and of
 * nothing that exists.
 * @param canary - stands in every text of the company they are of
 */
export function missingLike(ids: Identifiers, canary: string): Identifiers {
  const changed = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
  const missing = (id: string) =>
    id.includes(canary) ? id.replaceAll(canary, changed(canary)) : changed(id);
  return Object.fromEntries(
    Object.entries(ids).map(([kind, id]) => [kind, PUBLIC.includes(kind) ? id : missing(id)]),
  );
}

/** What an answer says, but for the moment, its own number and what the request itself said. */
export function sayingOf({ status, text, headers }: Answer, named: string): string {
  const said = [named, encodeURIComponent(named), JSON.stringify(named).slice(1, -1)];
  const own = [...said, headers['x-request-id'] ?? ''].filter((part) => part !== '');
  return own.reduce((rest, part) => rest.replaceAll(part, '…'), `${status} ${text}`).replaceAll(TIME, '…');
}

/**
 * Whether two requests that differ in nothing but an identifier may be compared. Events that are posted are there
 * afterwards, each tool call lengthens the log of calls, and health says how many requests are left.
 */
export function isRepeatable({ request: { method, path, body = '' } }: Probe): boolean {
  const changes = path.startsWith('/ingest/') && method === 'POST';
  return !changes && !path.startsWith('/v1/health') && !body.includes('get_action_audit_log');
}
