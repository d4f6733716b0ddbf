import type { AdministrationVerdict, AuditVerdict, RecordedEntry } from '@outcomes/audit';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation, type OpenInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
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
    .option(
      '--head <sha256>',
      'hash of a tool-call seal noted earlier outside the database; it must still be there',
      sha256,
    )
    .option('--administration-head <sha256>', 'the same for administrative actions', sha256)
    .option('--json', 'print a single JSON document on standard output')
    .action((options: VerifyOptions) => verify(config, options));
  return command;
}

async function list(config: CliConfig, { company, limit, before, json }: ListOptions): Promise<void> {
  const found = await withInstallation(config, (installation) =>
    installation.deeds.list(scopeIn(installation, company), { limit, before }),
  );
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
  present(options.json ?? false, verdict, () =>
    [
      `Rows    ${verdict.rows}${verdict.unsealed > 0 ? `, ${verdict.unsealed} of them not sealed yet` : ''}`,
      `Seals   ${verdict.seals}`,
      `Head    ${verdict.head ?? 'none yet'}`,
      `Actions ${administration.entries}, head ${administration.head ?? 'none yet'}`,
      judged(verdict),
    ].join('\n'),
  );
  const fault = verdict.firstFault ?? administration.firstFault;
  if (fault === null) return;
  const whose = options.company ?? 'the installation';
  remark(`outcomes: the audit log of ${whose} is not intact. ${fault.message}`);
  process.exitCode = 1;
}

function judged({ intact, unsealed }: AuditLogsVerdict): string {
  if (!intact) return pico.red('The audit logs are NOT intact.');
  if (unsealed === 0) return pico.green('The audit logs are intact.');
  return `${pico.green('What is sealed of the audit logs is intact.')} Of the rest nobody can tell yet: ask again in a few minutes.`;
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
