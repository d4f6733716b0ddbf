import type { ReplayVerdict } from '@outcomes/analysis';
import { Command } from 'commander';
import { scopeOf, withInstallation, type OpenInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present, remark } from '../output/terminal';

interface ReplayOptions {
  readonly company: string;
  readonly contact?: string;
  readonly json?: boolean;
}

const FAULTS = {
  model_changed: 'what was known about the company at the time is gone or differs from what was frozen',
  identity_changed: 'its contact, time or inputs differ from what was frozen',
  result_differs: 'its inputs lead to a different result than the stored one',
  not_computable: 'its inputs lead to no decision at all',
} as const;

export function decisionsCommand(config: CliConfig): Command {
  const command = new Command('decisions').description('Verifies that stored decisions can be reproduced.');
  command
    .command('replay')
    .description(
      'Recomputes decisions from their frozen inputs. Exits with status 1 unless all are identical byte for byte.',
    )
    .requiredOption('--company <id>', 'company whose decisions to replay')
    .option('--contact <id>', 'only decisions about this contact')
    .option('--json', 'print a single JSON document on standard output')
    .action((options: ReplayOptions) => replay(config, options));
  return command;
}

async function replay(config: CliConfig, { company, contact, json }: ReplayOptions): Promise<void> {
  const verdict = await withInstallation(config, (installation) => verdictOn(installation, company, contact));
  const { replayed, identical, firstFault } = verdict;
  present(json ?? false, verdict, () =>
    [`Replayed   ${replayed}`, `Identical  ${identical}`, resultOf(verdict)].join('\n'),
  );
  if (firstFault === null) return;
  remark(`outcomes: decision ${firstFault.decisionId} does not replay: ${FAULTS[firstFault.fault]}.`);
  process.exitCode = 1;
}

function resultOf({ replayed, firstFault }: ReplayVerdict): string {
  if (firstFault !== null) return pico.red('Decisions could NOT be reproduced.');
  return replayed === 0
    ? 'There is no decision yet that could be replayed.'
    : pico.green('Every decision was reproduced.');
}

async function verdictOn(
  { decisions, requireCompany }: OpenInstallation,
  company: string,
  contact: string | undefined,
): Promise<ReplayVerdict> {
  const verdict = await (await decisions).verify(scopeOf(company), contact);
  // A mistyped id must not look like a company whose decisions are in order.
  if (verdict.replayed === 0) await requireCompany(company);
  return verdict;
}
