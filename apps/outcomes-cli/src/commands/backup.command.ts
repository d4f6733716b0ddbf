import { Command } from 'commander';
import type { ErasureLedger } from '../backup/erasure-file';
import { deedOf } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { startProgress } from '../output/progress';
import { present, remark } from '../output/terminal';

interface RestoreOptions {
  readonly erasures?: string;
  readonly json?: boolean;
}

const JSON_OPTION = ['--json', 'print a single JSON document on standard output'] as const;

export function backupCommand(config: CliConfig): Command {
  return new Command('backup')
    .description(
      'Writes a consistent snapshot of the whole database to a file: every table of every company. Safe under traffic. ' +
        'Uses BACKUP_DATABASE_URL or, if unset, DATABASE_URL. The file contains personal data.',
    )
    .argument('<file>', 'file to write; it appears only when complete')
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { writeBackup } = await import('../backup/write-backup.js');
      const summary = await writeBackup(readerUrl(config), deedOf(config), file, (rows) =>
        startProgress('backup', rows),
      );
      if (summary.leftOut.length > 0)
        remark(
          `outcomes: tables that are not the service's are not in the backup: ${summary.leftOut.join(', ')}.`,
        );
      present(json ?? false, summary, () =>
        [
          `${summary.rows} rows of ${summary.tables} tables, as of ${summary.takenAt}: ${summary.file}`,
          'Export erasures often; otherwise a restore brings back everybody erased from now on: outcomes erasures export FILE',
        ].join('\n'),
      );
    });
}

export function restoreCommand(config: CliConfig): Command {
  return new Command('restore')
    .description(
      'Restores roles, schema and rows of a backup into the empty database of DATABASE_URL, whose login will own them. ' +
        'Either everything is restored, with the original counts and hashes, or nothing. Erasures are then repeated ' +
        'and audit logs verified. Nobody stays signed in; keys revoked after the backup are valid again. Start the ' +
        'services afterwards.',
    )
    .argument('<file>', 'file written by "outcomes backup"')
    .option(
      '--erasures <file>',
      'file written by "outcomes erasures export"; repeats the erasures the backup does not know',
    )
    .option(...JSON_OPTION)
    .action((file: string, options: RestoreOptions) => restore(config, file, options));
}

export function erasuresCommand(config: CliConfig): Command {
  const command = new Command('erasures').description(
    'Keeps the erasure ledger outside the database and replays it into a restored one.',
  );
  command
    .command('export')
    .description(
      'Appends new erasures to a file; run it often. It holds hashes and times, never an id that a caller sent.',
    )
    .argument(
      '<file>',
      'file with one JSON document per line; store it where it survives the loss of the database',
    )
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { exportErasures } = await import('../backup/erasure-file.js');
      const summary = await exportErasures(readerUrl(config), file);
      present(json ?? false, summary, () => `${summary.added} added, ${summary.erasures} in ${summary.file}`);
    });
  command
    .command('replay')
    .description(
      'Repeats erasures that are in a file but not in the ledger, in the database of DATABASE_URL, as its owner.',
    )
    .argument('<file>', 'file written by "outcomes erasures export"')
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const url = ownerUrl(config);
      const { readLedger } = await import('../backup/erasure-file.js');
      const summary = await replay(url, await readLedger(file));
      present(json ?? false, summary, () => `${summary.repeated} repeated, ${summary.found} had come back`);
    });
  return command;
}

async function restore(config: CliConfig, file: string, { erasures, json }: RestoreOptions): Promise<void> {
  const { restoreBackup } = await import('../backup/restore-backup.js');
  const { verifyAudits } = await import('../backup/replay-erasures.js');
  const { recordAsOwner } = await import('../installation/record-as-owner.js');
  const { readLedger } = await import('../backup/erasure-file.js');
  const url = ownerUrl(config);
  // Once the backup is restored, a ledger that cannot be read comes too late.
  const ledger = erasures === undefined ? null : await readLedger(erasures);
  const { companyIds, ...restored } = await restoreBackup(url, file, (rows) =>
    startProgress('restore', rows),
  );
  if (restored.leftOut.length > 0)
    remark(
      `outcomes: not restored, because the migrations of the backup do not create it: ${restored.leftOut.join(', ')}. ` +
        'The file still has it.',
    );
  const replayed = ledger && (await replay(url, ledger));
  if (replayed === null)
    remark(
      `outcomes: everybody erased after ${restored.takenAt} is back. Run "outcomes erasures replay FILE" before ` +
        'any service starts.',
    );
  remark(
    `outcomes: API keys revoked after ${restored.takenAt} are valid again, and passwords, roles, invitations and secrets ` +
      'of sources are those of then. Before any service starts, look through each company of "outcomes company list" by ' +
      '"outcomes keys list --company ID" and end keys by "outcomes keys revoke KEY_ID".',
  );
  const auditLogs = await verifyAudits(url, companyIds, (companies) => startProgress('audit', companies));
  await recordAsOwner(url, {
    ...{ ...deedOf(config), action: 'backup.restore', subject: null, occurredAt: new Date() },
    details: { taken_at: restored.takenAt, rows: restored.rows, companies: companyIds.length },
  });
  present(json ?? false, { ...restored, companies: companyIds.length, erasures: replayed, auditLogs }, () =>
    [
      `${restored.rows} rows of ${restored.tables} tables restored as of ${restored.takenAt}. Nobody is signed in.`,
      ...restored.migrations.map((name) => `ran ${name}`),
      ...(replayed ? [`${replayed.repeated} erasures repeated, ${replayed.found} had come back.`] : []),
      `${auditLogs} audit logs are intact.`,
      'Next: "outcomes migrate --logins" for the logins of the services, then "outcomes doctor".',
    ].join('\n'),
  );
}

async function replay(url: string, ledger: ErasureLedger) {
  const { replayErasures } = await import('../backup/replay-erasures.js');
  return replayErasures(url, ledger, (erasures) => startProgress('erasures', erasures));
}

function readerUrl({ backupDatabaseUrl }: CliConfig): string {
  if (!backupDatabaseUrl)
    throw new CliFailure('no database: set BACKUP_DATABASE_URL to a login that may read backups.');
  return backupDatabaseUrl;
}

function ownerUrl({ ownerDatabaseUrl }: CliConfig): string {
  if (!ownerDatabaseUrl)
    throw new CliFailure('no database: set DATABASE_URL to the URL of the owner of the tables.');
  return ownerDatabaseUrl;
}
