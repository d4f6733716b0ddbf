import { Command } from 'commander';
import { deedOf } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { startProgress } from '../output/progress';
import { present, remark } from '../output/terminal';

interface RestoreOptions {
  readonly erasures?: string;
  readonly json?: boolean;
}

const JSON_OPTION = ['--json', 'print one JSON document and nothing else on standard output'] as const;

export function backupCommand(config: CliConfig): Command {
  return new Command('backup')
    .description(
      'Writes one state of the whole database into a file: every table of every company. It works beside traffic, ' +
        'as the login of BACKUP_DATABASE_URL or, without one, of DATABASE_URL. What it holds is personal data.',
    )
    .argument('<file>', 'file to write, which appears when it is whole')
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { writeBackup } = await import('../backup/write-backup.js');
      const summary = await writeBackup(readerUrl(config), deedOf(config), file, (rows) =>
        startProgress('backup', rows),
      );
      present(json ?? false, summary, () =>
        [
          `${summary.rows} rows of ${summary.tables} tables, as of ${summary.takenAt}: ${summary.file}`,
          'Export erasures often, or whoever is erased from now on comes back with it: outcomes erasures export FILE',
        ].join('\n'),
      );
    });
}

export function restoreCommand(config: CliConfig): Command {
  return new Command('restore')
    .description(
      'Makes roles, schema and rows of a backup in the empty database of DATABASE_URL, whose login will own them. All ' +
        'of it is there in the end, with the counts and hashes that it had, or nothing. Then erasures are repeated and ' +
        'audit logs verified. Start services when it has ended.',
    )
    .argument('<file>', 'what "outcomes backup" wrote')
    .option('--erasures <file>', 'repeat what "outcomes erasures export" wrote and the backup does not know')
    .option(...JSON_OPTION)
    .action((file: string, options: RestoreOptions) => restore(config, file, options));
}

export function erasuresCommand(config: CliConfig): Command {
  const command = new Command('erasures').description(
    'Keeps the ledger of erasures outside the database, and repeats it in a restored one.',
  );
  command
    .command('export')
    .description(
      'Adds to a file what it has not yet; to be run often. Hashes and times: no id that a caller sent.',
    )
    .argument('<file>', 'file of one JSON document a line; keep it where the database cannot take it along')
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { exportErasures } = await import('../backup/erasure-file.js');
      const summary = await exportErasures(readerUrl(config), file);
      present(json ?? false, summary, () => `${summary.added} added, ${summary.erasures} in ${summary.file}`);
    });
  command
    .command('replay')
    .description(
      'Repeats in the database of DATABASE_URL, as its owner, what a file has and its ledger has not.',
    )
    .argument('<file>', 'what "outcomes erasures export" wrote')
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: { json?: boolean }) => {
      const summary = await replay(config, file);
      present(json ?? false, summary, () => `${summary.repeated} repeated, ${summary.found} had come back`);
    });
  return command;
}

async function restore(config: CliConfig, file: string, { erasures, json }: RestoreOptions): Promise<void> {
  const { restoreBackup } = await import('../backup/restore-backup.js');
  const { verifyAudits } = await import('../backup/replay-erasures.js');
  const { recordAsOwner } = await import('../installation/record-as-owner.js');
  const url = ownerUrl(config);
  const { companyIds, ...restored } = await restoreBackup(url, file, (rows) =>
    startProgress('restore', rows),
  );
  const replayed = erasures === undefined ? null : await replay(config, erasures);
  if (replayed === null)
    remark(
      `outcomes: whoever was erased after ${restored.takenAt} is back. Run "outcomes erasures replay FILE" before ` +
        'any service starts.',
    );
  const auditLogs = await verifyAudits(url, companyIds, (companies) => startProgress('audit', companies));
  await recordAsOwner(url, {
    ...{ ...deedOf(config), action: 'backup.restore', subject: null, occurredAt: new Date() },
    details: { taken_at: restored.takenAt, rows: restored.rows, companies: companyIds.length },
  });
  present(json ?? false, { ...restored, companies: companyIds.length, erasures: replayed, auditLogs }, () =>
    [
      `${restored.rows} rows of ${restored.tables} tables are as they were at ${restored.takenAt}.`,
      ...restored.migrations.map((name) => `ran ${name}`),
      ...(replayed ? [`${replayed.repeated} erasures repeated, ${replayed.found} had come back.`] : []),
      `${auditLogs} audit logs are intact.`,
      'Next: "outcomes migrate --logins" for the logins of the services, then "outcomes doctor".',
    ].join('\n'),
  );
}

async function replay(config: CliConfig, file: string) {
  const { replayErasures } = await import('../backup/replay-erasures.js');
  return replayErasures(ownerUrl(config), file, (erasures) => startProgress('erasures', erasures));
}

function readerUrl({ backupDatabaseUrl }: CliConfig): string {
  if (!backupDatabaseUrl)
    throw new CliFailure('no database: set BACKUP_DATABASE_URL to the login that reads backups.');
  return backupDatabaseUrl;
}

function ownerUrl({ ownerDatabaseUrl }: CliConfig): string {
  if (!ownerDatabaseUrl)
    throw new CliFailure('no database: set DATABASE_URL to the URL of the owner of the tables.');
  return ownerDatabaseUrl;
}
