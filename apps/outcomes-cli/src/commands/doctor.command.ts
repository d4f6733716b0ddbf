import { Command } from 'commander';
import type { Finding } from '../doctor/finding';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present } from '../output/terminal';

const MARK = { ok: pico.green('ok  '), fault: pico.red('FAIL'), unknown: pico.yellow('?   ') } as const;

export function doctorCommand(config: CliConfig): Command {
  return new Command('doctor')
    .description(
      'Performs what the services do, with each login given by a *_DATABASE_URL variable, and leaves nothing behind. ' +
        'Checks Postgres, clock, migrations, roles, row-level security, policies and grants, stored secrets, and Redis. ' +
        'Exits with status 1 if any check fails; checks that could not run are marked with "?".',
    )
    .option('--json', 'print a single JSON document on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const { examine } = await import('../doctor/examine.js');
      const findings = await examine(config);
      const healthy = findings.every(({ state }) => state !== 'fault');
      present(json ?? false, { healthy, findings }, () =>
        [...findings.map(lineOf), verdict(findings)].join('\n'),
      );
      if (!healthy) process.exitCode = 1;
    });
}

function lineOf({ state, check, detail }: Finding): string {
  return `${MARK[state]} ${check}: ${detail}`;
}

function verdict(findings: readonly Finding[]): string {
  const faults = findings.filter(({ state }) => state === 'fault').map(({ check }) => check);
  const untried = findings.filter(({ state }) => state === 'unknown').length;
  const rest = untried > 0 ? ` ${untried} could not be checked.` : '';
  return faults.length > 0
    ? `${faults.length} failed: ${faults.join(', ')}. Start with the first.${rest}`
    : `All checks passed.${rest}`;
}
