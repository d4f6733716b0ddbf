import { PERMISSIONS, type Permission } from '@outcomes/contracts';
import { Command } from 'commander';
import type { CliConfig } from '../outcomes-cli.config';
import { pico, present } from '../output/terminal';

interface Options {
  readonly id: string;
  readonly tenants: string;
  readonly permissions?: string;
  readonly json?: boolean;
}

export function bootstrapCommand(_config: CliConfig): Command {
  const command = new Command('bootstrap').description('Multi-tenant credentials for platforms and portals.');
  command
    .command('create')
    .description('Generates a credential. It takes effect once its entry is added to BOOTSTRAP_CREDENTIALS.')
    .requiredOption('--id <id>', 'name of the credential in audit rows')
    .option('--tenants <list>', 'comma-separated company ids, or * for all', '*')
    .option('--permissions <list>', `comma-separated, from ${PERMISSIONS.join(',')} (default: all)`)
    .option('--json', 'print a single JSON document on standard output')
    .action(async ({ id, tenants, permissions, json }: Options) => {
      const { drawCredential } = await import('../installation/draw-credential.js');
      const created = drawCredential({
        id,
        tenants: tenants === '*' ? '*' : tenants.split(',').map((tenant) => tenant.trim()),
        permissions: permissions?.split(',').map((name) => name.trim()) as Permission[] | undefined,
      });
      present(json ?? false, created, () =>
        [
          `Token   ${pico.bold(created.token)}`,
          'Keep the token: it is not stored and cannot be shown again.',
          `Configure the services with (a JSON list; keep the entries already in it):`,
          `BOOTSTRAP_CREDENTIALS='[${created.config}]'`,
        ].join('\n'),
      );
    });
  return command;
}
