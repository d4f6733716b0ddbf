import { Command } from 'commander';
import type { Finding } from '../doctor/finding';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present } from '../output/terminal';

const MARK = { ok: pico.green('ok  '), fault: pico.red('FAIL'), unknown: pico.yellow('?   ') } as const;

export function doctorCommand(config: CliConfig): Command {
  return new Command('doctor')
    .description(
      'Does what the services do, with each login that a *_DATABASE_URL variable names, and leaves nothing behind; ' +
        'checks Postgres, clock, migrations, roles, row-level security, policies and grants, and Redis. Ends with 1 ' +
        'where something is at fault; what could not be tried is marked with "?".',
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
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
  const rest = untried > 0 ? ` ${untried} could not be tried.` : '';
  return faults.length > 0
    ? `${faults.length} at fault: ${faults.join(', ')}. Begin with the first.${rest}`
    : `Nothing is at fault.${rest}`;
}
