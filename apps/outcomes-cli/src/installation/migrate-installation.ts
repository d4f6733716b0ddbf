import type { AdministrativeEntry, Deed } from '@outcomes/audit';
import {
  BACKUP_ROLE,
  bringUp,
  createServiceLogins,
  ensureServiceLogins,
  type InstallationLogin,
} from '@outcomes/persistence/bring-up';
import { LOGIN_VARIABLES } from '../outcomes-cli.config';
import { CliFailure, failureLine } from '../output/cli-failure';

/** What an installation may go without. */
const OPTIONAL: readonly InstallationLogin[] = ['console', 'backup'];

type LoginUrls = Partial<Record<InstallationLogin, string>>;

export const NO_BACKUP_ROLE = `outcomes: there is no role to read backups with, because only a superuser may make it. \
Have one run "CREATE ROLE ${BACKUP_ROLE} NOLOGIN BYPASSRLS" and "GRANT ${BACKUP_ROLE} TO" the owner "WITH ADMIN OPTION", \
and run this again.`;

/**
 * Brings schema and protection up, then puts logins in place; what changed is written down.
 * @param url - of the owner of the tables
 * @param wanted - logins to put in place, by service; null for none
 */
export async function migrateInstallation(url: string, wanted: LoginUrls | null, deed: Deed) {
  if (wanted && Object.keys(wanted).length === 0)
    throw new CliFailure(
      `there is no login to put in place; nothing was changed. Set ${Object.values(LOGIN_VARIABLES).join(', ')} (those of ${OPTIONAL.join(' and ')} where you use them).`,
    );
  const { migrations, restored, hasBackupRole } = await bringUp(url).catch(naming);
  const urls = wanted && loginsToMake(wanted, hasBackupRole);
  if (urls) await ensureServiceLogins(url, urls);
  const logins = Object.keys(urls ?? {});
  if (migrations.length + restored.length + logins.length > 0)
    await writeDown(url, {
      ...{ ...deed, action: 'schema.migrate', subject: null, occurredAt: new Date() },
      details: {
        ...{ migrations: migrations.length, newest: migrations.at(-1) ?? null },
        ...{ restored: restored.length, logins },
      },
    });
  return { migrations, restored, logins, hasBackupRole, missing: wanted ? missingIn(wanted) : [] };
}

/** Of what keeps anybody from connecting, the setting that says where to. */
function naming(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^(28\w{3}|3D000|E[A-Z]+)$/.test(code)) throw error;
  throw new CliFailure(`Postgres is not reachable (${failureLine(error)}). Check DATABASE_URL.`, {
    cause: error,
  });
}

/** @returns variables of logins without which services cannot work */
function missingIn(wanted: LoginUrls): string[] {
  return Object.entries(LOGIN_VARIABLES).flatMap(([login, variable]) =>
    login in wanted || OPTIONAL.includes(login as InstallationLogin) ? [] : [variable],
  );
}

/** Without its role, the login for backups waits for the next time. */
function loginsToMake({ backup, ...services }: LoginUrls, hasBackupRole: boolean): LoginUrls {
  return backup !== undefined && hasBackupRole ? { ...services, backup } : services;
}

/** @returns the URL of a new login with a fresh password for each service */
export async function makeServiceLogins(url: string, deed: Deed) {
  const logins = await createServiceLogins(url);
  await writeDown(url, {
    ...{ ...deed, action: 'logins.create', subject: null, occurredAt: new Date() },
    details: { logins: Object.keys(logins) },
  });
  return logins;
}

/** Loaded where there is something to write down, and not at every start with an up-to-date schema. */
async function writeDown(url: string, entry: AdministrativeEntry): Promise<void> {
  const { recordAsOwner } = await import('./record-as-owner.js');
  await recordAsOwner(url, entry);
}
