import type { UnprocessedBatch } from '@outcomes/ingestion';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { present, table } from '../output/terminal';

interface Asked {
  readonly company?: string;
  readonly batch?: string;
  readonly json?: boolean;
}

export function batchesCommand(config: CliConfig): Command {
  const command = new Command('batches').description('Lists unprocessed batches and retries parked ones.');
  command
    .command('list')
    .description('Lists waiting batches, and batches parked after five failures, oldest first.')
    .option('--company <id>', 'only batches of this company')
    .option('--json', 'print a single JSON document on standard output')
    .action((asked: Asked) => list(config, asked));
  command
    .command('retry')
    .description('Queues parked batches again; the worker retries them within seconds.')
    .requiredOption('--company <id>', 'company whose batches to retry')
    .option('--batch <id>', 'only this batch (default: all parked ones of the company)', uuid)
    .option('--json', 'print a single JSON document on standard output')
    .action((asked: Asked & { company: string }) => retry(config, asked));
  return command;
}

async function list(config: CliConfig, { company, json }: Asked): Promise<void> {
  const scope = company === undefined ? undefined : scopeOf(company);
  const batches = await withInstallation(config, async (installation) => {
    const found = await (await installation.batches).list(scope);
    if (company !== undefined && found.length === 0) await installation.requireCompany(company);
    return found;
  });
  present(json ?? false, { batches }, () =>
    batches.length === 0 ? 'No batches are waiting or parked.' : table(HEAD, batches.map(rowOf)),
  );
}

async function retry(
  config: CliConfig,
  { company, batch, json }: Asked & { company: string },
): Promise<void> {
  const scope = scopeOf(company);
  const retried = await withInstallation(config, async ({ batches, deed, requireCompany }) => {
    const number = await (await batches).retry(scope, batch, deed);
    if (number === 0) await requireCompany(company);
    return number;
  });
  present(json ?? false, { retried }, () =>
    retried === 0 ? 'No such batch is parked.' : `${retried} will be retried.`,
  );
}

const HEAD = ['company', 'batch', 'state', 'events', 'failures', 'received'];

function rowOf({
  companyId,
  batchId,
  state,
  events,
  failedAttempts,
  receivedAt,
}: UnprocessedBatch): string[] {
  return [companyId, batchId, state, String(events), String(failedAttempts), receivedAt.toISOString()];
}

function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError('Give the id of a batch; see "outcomes batches list".');
  return text.toLowerCase();
}
