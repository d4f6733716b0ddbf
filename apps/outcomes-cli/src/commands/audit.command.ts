import type { AdministrationVerdict, AuditVerdict, RecordedEntry } from '@outcomes/audit';
import { Command, InvalidArgumentError, Option } from 'commander';
import { scopeOf, withInstallation, type OpenInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { startProgress } from '../output/progress';
import { pico, present, remark, table } from '../output/terminal';

interface ListOptions {
  readonly company?: string;
  readonly limit: number;
  readonly before?: number;
  readonly json?: boolean;
}

interface VerifyOptions {
  readonly company?: string;
  readonly head?: string;
  readonly administrationHead?: string;
  readonly json?: boolean;
}

interface AuditLogsVerdict extends AuditVerdict {
  readonly administration: AdministrationVerdict;
}

const MAX_LISTED = 1_000;

export function auditCommand(config: CliConfig): Command {
  const command = new Command('audit').description(
    'Shows administrative actions and verifies that the audit logs are unaltered.',
  );
  command
    .command('list')
    .description(
      'Lists administrative actions on a company, newest first: keys, contacts, deletions, exports, settings, locks. ' +
        'Tool calls are listed by get_action_audit_log.',
    )
    .option('--company <id>', 'company (default: actions on the installation, including deleted companies)')
    .option('--limit <n>', `number of entries, 1 to ${MAX_LISTED}`, entriesOf, 50)
    .option('--before <n>', 'only entries older than this one', wholeNumber)
    .option('--json', 'print a single JSON document on standard output')
    .action((options: ListOptions) => list(config, options));
  command
    .command('verify')
    .description(
      'Checks tool calls and administrative actions against their seals. Exits with status 1 if they do not match.',
    )
    .option('--company <id>', 'company whose logs to verify (default: the log of the installation)')
    .addOption(
      new Option('--all', 'verify the log of the installation and those of every company').conflicts([
        'company',
        'head',
        'administrationHead',
      ]),
    )
    .option(
      '--head <sha256>',
      'hash of a tool-call seal noted earlier outside the database; it must still be there',
      sha256,
    )
    .option('--administration-head <sha256>', 'the same for administrative actions', sha256)
    .option('--json', 'print a single JSON document on standard output')
    .action(({ all, ...options }: VerifyOptions & { all?: boolean }) =>
      all ? verifyAll(config, options.json ?? false) : verify(config, options),
    );
  return command;
}

async function list(config: CliConfig, { company, limit, before, json }: ListOptions): Promise<void> {
  const found = await withInstallation(config, async (installation) => {
    const listed = await installation.deeds.list(scopeIn(installation, company), { limit, before });
    if (company !== undefined && listed.length === 0) await installation.requireCompany(company);
    return listed;
  });
  const entries = found.map(({ previousSha256: _previous, sealSha256, ...entry }) => ({
    ...entry,
    seal: sealSha256.toString('hex'),
  }));
  present(json ?? false, { entries }, () =>
    found.length === 0
      ? 'No actions recorded.'
      : table(['no.', 'when', 'who', 'what', 'to', 'details'], found.map(rowOf)),
  );
}

function rowOf({ entryNo, occurredAt, by, action, subject, details }: RecordedEntry): (string | number)[] {
  const told = Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(' ') : String(value)}`);
  return [entryNo, occurredAt.toISOString(), `${by.type} ${by.id}`, action, subject ?? '', told.join(', ')];
}

async function verify(config: CliConfig, options: VerifyOptions): Promise<void> {
  const verdict = await withInstallation(config, (installation) => verdictOn(installation, options));
  const { administration } = verdict;
  const whose = options.company ?? 'the installation';
  present(options.json ?? false, verdict, () =>
    [
      `Rows    ${verdict.rows}${verdict.unsealed > 0 ? `, ${verdict.unsealed} of them not sealed yet` : ''}`,
      `Seals   ${verdict.seals}`,
      `Head    ${verdict.head ?? 'none yet'}`,
      `Actions ${administration.entries}, head ${administration.head ?? 'none yet'}`,
      judged(verdict, whose),
    ].join('\n'),
  );
  const fault = verdict.firstFault ?? administration.firstFault;
  if (fault === null) return;
  remark(`outcomes: the audit log of ${whose} is not intact. ${fault.message}`);
  process.exitCode = 1;
}

async function verifyAll(config: CliConfig, json: boolean): Promise<void> {
  const verdicts = await withInstallation(config, async (installation) => {
    const companies = await (await installation.administration).listCompanies();
    const progress = startProgress('audit', companies.length);
    try {
      const found = [{ company: null as string | null, ...(await verdictOn(installation, {})) }];
      for (const [at, { companyId }] of companies.entries()) {
        found.push({ company: companyId, ...(await verdictOn(installation, { company: companyId })) });
        progress.update(at + 1, companyId);
      }
      return found;
    } finally {
      progress.stop();
    }
  });
  const faulty = verdicts.filter(({ intact }) => !intact);
  const unsealed = verdicts.reduce((sum, verdict) => sum + verdict.unsealed, 0);
  present(json, { intact: faulty.length === 0, logs: verdicts }, () =>
    judged({ intact: faulty.length === 0, unsealed }, `the installation and ${countOf(verdicts.length - 1)}`),
  );
  for (const { company, firstFault, administration } of faulty) {
    const { message = '' } = firstFault ?? administration.firstFault ?? {};
    remark(`outcomes: the audit log of ${company ?? 'the installation'} is not intact. ${message}`);
    process.exitCode = 1;
  }
}

function countOf(companies: number): string {
  return `${companies} ${companies === 1 ? 'company' : 'companies'}`;
}

function judged({ intact, unsealed }: Pick<AuditLogsVerdict, 'intact' | 'unsealed'>, whose: string): string {
  if (!intact) return pico.red(`The audit logs of ${whose} are NOT intact.`);
  if (unsealed === 0) return pico.green(`The audit logs of ${whose} are intact.`);
  return `${pico.green(`What is sealed of the audit logs of ${whose} is intact.`)} Of the rest nobody can tell yet: ask again in a few minutes.`;
}

async function verdictOn(
  installation: OpenInstallation,
  { company, head, administrationHead }: VerifyOptions,
): Promise<AuditLogsVerdict> {
  const scope = scopeIn(installation, company);
  const calls = await installation.calls.verify(scope, head);
  const administration = await installation.deeds.verify(scope, administrationHead);
  // A mistyped id must not look like a company whose log is in order.
  if (company !== undefined && calls.rows + calls.seals + administration.entries === 0)
    await installation.requireCompany(company);
  return { ...calls, intact: calls.intact && administration.intact, administration };
}

function scopeIn({ ownScope }: OpenInstallation, company: string | undefined) {
  return company === undefined ? ownScope : scopeOf(company);
}

function sha256(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Give 64 hexadecimal digits.');
  return text;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

function entriesOf(text: string): number {
  const number = wholeNumber(text);
  if (number < 1 || number > MAX_LISTED) throw new InvalidArgumentError(`Give a number up to ${MAX_LISTED}.`);
  return number;
}
