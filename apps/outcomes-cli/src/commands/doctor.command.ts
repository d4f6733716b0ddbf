import { Command } from 'commander';
import { examine, type Finding } from '../doctor/examine';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present } from '../output/terminal';

const MARK = { ok: pico.green('ok  '), fault: pico.red('FAIL') } as const;

export function doctorCommand(config: CliConfig): Command {
  return new Command('doctor')
    .description(
      'Checks what the services need: Postgres, migrations, roles, row-level security, Redis and its eviction policy.',
    )
    .option('--json', 'print one JSON document and nothing else on standard output')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(config);
      const healthy = findings.every(({ state }) => state === 'ok');
      present(json ?? false, { healthy, findings }, () => findings.map(lineOf).join('\n'));
      if (!healthy) process.exitCode = 1;
    });
}

function lineOf({ state, check, detail }: Finding): string {
  return `${MARK[state]} ${check}: ${detail}`;
}
