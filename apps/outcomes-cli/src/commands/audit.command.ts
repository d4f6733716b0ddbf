import { AuditVerification, type AuditVerdict } from '@outcomes/audit';
import { CompanyEntity } from '@outcomes/persistence';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation, type OpenInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { pico, present, remark } from '../output/terminal';

interface VerifyOptions {
  readonly company: string;
  readonly head?: string;
  readonly json?: boolean;
}

export function auditCommand(config: CliConfig): Command {
  const command = new Command('audit').description('Proves that the audit log is as it was written.');
  command
    .command('verify')
    .description('Holds the audit rows of a company against their seals. Ends with 1 where they do not fit.')
    .requiredOption('--company <id>', 'company whose audit log to verify')
    .option(
      '--head <sha256>',
      'hash of a seal noted earlier outside the database: it must still be there',
      sha256,
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action((options: VerifyOptions) => verify(config, options));
  return command;
}

async function verify(config: CliConfig, { company, head, json }: VerifyOptions): Promise<void> {
  const verdict = await withInstallation(config, (installation) => verdictOn(installation, company, head));
  present(json ?? false, verdict, () =>
    [
      `Rows    ${verdict.rows}`,
      `Seals   ${verdict.seals}`,
      `Head    ${verdict.head ?? 'none yet'}`,
      verdict.intact ? pico.green('The audit log is intact.') : pico.red('The audit log is NOT intact.'),
    ].join('\n'),
  );
  if (verdict.firstFault === null) return;
  remark(`outcomes: the audit log of ${company} is not intact. ${verdict.firstFault.message}`);
  process.exitCode = 1;
}

async function verdictOn(
  { database }: OpenInstallation,
  company: string,
  head: string | undefined,
): Promise<AuditVerdict> {
  const scope = scopeOf(company);
  const verdict = await new AuditVerification(database).verify(scope, head);
  // A mistyped id must not look like a company whose log is in order.
  const known =
    verdict.rows + verdict.seals > 0 ||
    (await database.transaction(scope, ({ manager, companyId }) =>
      manager.existsBy(CompanyEntity, { companyId }),
    ));
  if (!known) throw new CliFailure(`there is no company ${company}; "outcomes company list" shows them.`);
  return verdict;
}

function sha256(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Give 64 hexadecimal digits.');
  return text;
}
