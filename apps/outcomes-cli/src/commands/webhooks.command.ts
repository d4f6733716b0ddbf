import { setTimeout as delay } from 'node:timers/promises';
import type { CreatedWebhook, ListedDelivery } from '@outcomes/webhooks';
import { WEBHOOK_TYPES } from '@outcomes/webhooks/types';
import { Command, InvalidArgumentError } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { pico, present, table } from '../output/terminal';

interface Options {
  readonly company: string;
  readonly json?: boolean;
}

const JSON_OPTION = ['--json', 'print one JSON document and nothing else on standard output'] as const;
const COMPANY_OPTION = ['--company <id>', 'whose webhook it is'] as const;
const ENDPOINT = ['<webhook>', 'its id, whk_…'] as const;
const DEFAULT_LIMIT = 50;
const MOST = 1_000;
/** Longer than an attempt may take, and the pause before it. */
const PING_PATIENCE_MS = 30_000;
const POLL_MS = 200;

export function webhooksCommand(config: CliConfig): Command {
  const command = new Command('webhooks').description(
    'Tells your own systems what has changed, by signed HTTPS requests (Standard Webhooks).',
  );
  command
    .command('create')
    .description('Makes a webhook. Its secret is shown this once.')
    .requiredOption('--company <id>', 'company that it tells of')
    .requiredOption('--url <url>', 'where to, https on the public Internet')
    .option(
      '--types <types>',
      `what it tells, parted by commas (default: all): ${Object.keys(WEBHOOK_TYPES).join(', ')}`,
      listed,
      [],
    )
    .option(...JSON_OPTION)
    .action(async ({ company, url, types, json }: Options & { url: string; types: readonly string[] }) => {
      const made = await withInstallation(config, ({ webhooks, deed }) =>
        webhooks.create(scopeOf(company), url, types, deed),
      );
      presentWebhook(made, json);
    });
  command
    .command('list')
    .description('Lists the webhooks of a company.')
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action((options: Options) => list(config, options));
  command
    .command('test')
    .description(
      'Sends a ping to a webhook, once, and tells what came of it. Exit code 1 where it did not arrive.',
    )
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action((endpoint: string, options: Options) => test(config, endpoint, options));
  command
    .command('deliveries')
    .description('Lists what was sent to a webhook in the last 30 days and what waits, the newest first.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(
      '--limit <n>',
      `how many at most, up to ${MOST} (default: ${DEFAULT_LIMIT})`,
      limitOf,
      DEFAULT_LIMIT,
    )
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json, limit }: Options & { limit: number }) => {
      const deliveries = await withInstallation(config, ({ webhooks }) =>
        webhooks.deliveries(scopeOf(company), endpoint, limit),
      );
      present(json ?? false, { deliveries }, () =>
        deliveries.length === 0 ? 'Nothing was sent yet.' : deliveryTable(deliveries),
      );
    });
  command
    .command('rotate')
    .description('Gives a webhook another secret. For 24 hours the one before signs as well.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json }: Options) => {
      const rotated = await withInstallation(config, ({ webhooks, deed }) =>
        webhooks.rotate(scopeOf(company), endpoint, deed),
      );
      presentWebhook(rotated, json);
    });
  command
    .command('enable')
    .description('Sends to a webhook again that was switched off. What it missed is not sent.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json }: Options) => {
      await withInstallation(config, ({ webhooks, deed }) =>
        webhooks.enable(scopeOf(company), endpoint, deed),
      );
      present(
        json ?? false,
        { endpointId: endpoint, state: 'active' },
        () => `${endpoint} is sent to again.`,
      );
    });
  command
    .command('remove')
    .description('Removes a webhook, and what waits for it.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json }: Options) => {
      await withInstallation(config, ({ webhooks, deed }) =>
        webhooks.remove(scopeOf(company), endpoint, deed),
      );
      present(json ?? false, { endpointId: endpoint, state: 'removed' }, () => `${endpoint} is removed.`);
    });
  return command;
}

function presentWebhook(webhook: CreatedWebhook, json = false): void {
  present(json, webhook, () =>
    [
      `Webhook  ${webhook.endpointId}`,
      `Address  ${webhook.url}`,
      `Tells    ${webhook.types.join(', ')}`,
      `Secret   ${pico.bold(webhook.secret)}`,
      'Keep the secret: it cannot be shown again. Libraries for Standard Webhooks take it as it is and tell by it that a',
      'request is genuine: https://www.standardwebhooks.com',
    ].join('\n'),
  );
}

async function list(config: CliConfig, { company, json }: Options): Promise<void> {
  const webhooks = await withInstallation(config, (installation) =>
    installation.webhooks.list(scopeOf(company)),
  );
  present(json ?? false, { webhooks }, () =>
    webhooks.length === 0
      ? 'This company has no webhook. "outcomes webhooks create" makes one.'
      : table(
          ['webhook', 'address', 'state', 'tells'],
          webhooks.map(({ endpointId, url, types, disabledReason }) => [
            ...[endpointId, url, disabledReason === null ? 'active' : `switched off (${disabledReason})`],
            types.join(', '),
          ]),
        ),
  );
}

async function test(config: CliConfig, endpoint: string, { company, json }: Options): Promise<void> {
  const scope = scopeOf(company);
  const ping = await withInstallation(config, async ({ webhooks }) => {
    const messageId = await webhooks.ping(scope, endpoint);
    const deadline = performance.now() + PING_PATIENCE_MS;
    for (;;) {
      const sent = (await webhooks.deliveries(scope, endpoint, MOST)).find(
        (one) => one.messageId === messageId,
      );
      if (sent && sent.state !== 'pending') return sent;
      if (performance.now() > deadline)
        throw new CliFailure(
          `nobody has sent the ping within ${PING_PATIENCE_MS / 1_000} s. Check that analysis-worker runs, with the SOURCE_SECRETS_KEY that is set here.`,
        );
      await delay(POLL_MS);
    }
  });
  if (ping.state === 'failed') process.exitCode = 1;
  present(json ?? false, ping, () =>
    ping.state === 'delivered'
      ? `The ping arrived: ${ping.status}.`
      : `The ping did not arrive: ${ping.fault ?? `the endpoint answered ${ping.status}`}.`,
  );
}

function deliveryTable(deliveries: readonly ListedDelivery[]): string {
  return table(
    ['created', 'type', 'state', 'attempts', 'last answer', 'next attempt'],
    deliveries.map(({ createdAt, type, state, attempts, status, fault, nextAttemptAt }) => [
      ...[createdAt.toISOString(), type, state, String(attempts)],
      ...[fault ?? String(status ?? ''), nextAttemptAt?.toISOString() ?? ''],
    ]),
  );
}

function listed(text: string): string[] {
  return text.split(',').map((type) => type.trim());
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST}.`);
  return limit;
}
