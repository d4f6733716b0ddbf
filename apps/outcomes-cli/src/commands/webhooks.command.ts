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

const JSON_OPTION = ['--json', 'print a single JSON document on standard output'] as const;
const COMPANY_OPTION = ['--company <id>', 'company that the webhook belongs to'] as const;
const ENDPOINT = ['<webhook>', 'id of the webhook, whk_…'] as const;
const DEFAULT_LIMIT = 50;
const MAX = 1_000;
/** Longer than an attempt may take, and the pause before it. */
const PING_PATIENCE_MS = 30_000;
const POLL_MS = 200;

export function webhooksCommand(config: CliConfig): Command {
  const command = new Command('webhooks').description(
    'Notifies your own systems of changes by signed HTTPS requests (Standard Webhooks).',
  );
  command
    .command('create')
    .description('Creates a webhook. Its secret is shown only once.')
    .requiredOption('--company <id>', 'company whose changes it reports')
    .requiredOption('--url <url>', 'address to send to, https on the public Internet')
    .option(
      '--types <types>',
      `event types, comma-separated (default: all): ${Object.keys(WEBHOOK_TYPES).join(', ')}`,
      listed,
    )
    .option(...JSON_OPTION)
    .action(
      async ({ company, url, types = [], json }: Options & { url: string; types?: readonly string[] }) => {
        const made = await withInstallation(config, async ({ webhooks, deed }) =>
          (await webhooks).create(scopeOf(company), url, types, deed),
        );
        presentWebhook(made, json);
      },
    );
  command
    .command('list')
    .description('Lists the webhooks of a company.')
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action((options: Options) => list(config, options));
  command
    .command('test')
    .description(
      'Sends one ping to a webhook and reports the result. Exits with status 1 if it did not arrive.',
    )
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action((endpoint: string, options: Options) => test(config, endpoint, options));
  command
    .command('deliveries')
    .description('Lists deliveries to a webhook of the last 30 days, sent and waiting, newest first.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option('--limit <n>', `maximum number, up to ${MAX}`, limitOf, DEFAULT_LIMIT)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json, limit }: Options & { limit: number }) => {
      const deliveries = await withInstallation(config, async ({ webhooks }) =>
        (await webhooks).deliveries(scopeOf(company), endpoint, limit),
      );
      present(json ?? false, { deliveries }, () =>
        deliveries.length === 0 ? 'Nothing has been sent yet.' : deliveryTable(deliveries),
      );
    });
  command
    .command('rotate')
    .description(
      'Gives a webhook a new secret. For 24 hours requests are signed with the previous one as well.',
    )
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json }: Options) => {
      const rotated = await withInstallation(config, async ({ webhooks, deed }) =>
        (await webhooks).rotate(scopeOf(company), endpoint, deed),
      );
      presentWebhook(rotated, json);
    });
  command
    .command('enable')
    .description('Re-enables a disabled webhook. Changes it missed are not sent.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json }: Options) => {
      await withInstallation(config, async ({ webhooks, deed }) =>
        (await webhooks).enable(scopeOf(company), endpoint, deed),
      );
      present(json ?? false, { endpointId: endpoint, state: 'active' }, () => `${endpoint} is enabled.`);
    });
  command
    .command('remove')
    .description('Removes a webhook and its waiting deliveries.')
    .argument(...ENDPOINT)
    .requiredOption(...COMPANY_OPTION)
    .option(...JSON_OPTION)
    .action(async (endpoint: string, { company, json }: Options) => {
      await withInstallation(config, async ({ webhooks, deed }) =>
        (await webhooks).remove(scopeOf(company), endpoint, deed),
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
      `Types    ${webhook.types.join(', ')}`,
      `Secret   ${pico.bold(webhook.secret)}`,
      'Keep the secret: it cannot be shown again. Pass it to a Standard Webhooks library to verify that requests are',
      'genuine: https://www.standardwebhooks.com',
    ].join('\n'),
  );
}

async function list(config: CliConfig, { company, json }: Options): Promise<void> {
  const webhooks = await withInstallation(config, async (installation) => {
    const found = await (await installation.webhooks).list(scopeOf(company));
    if (found.length === 0) await installation.requireCompany(company);
    return found;
  });
  present(json ?? false, { webhooks }, () =>
    webhooks.length === 0
      ? 'This company has no webhooks. Create one with "outcomes webhooks create".'
      : table(
          ['webhook', 'address', 'state', 'types'],
          webhooks.map(({ endpointId, url, types, disabledReason }) => [
            ...[endpointId, url, disabledReason === null ? 'active' : `disabled (${disabledReason})`],
            types.join(', '),
          ]),
        ),
  );
}

async function test(config: CliConfig, endpoint: string, { company, json }: Options): Promise<void> {
  const scope = scopeOf(company);
  const ping = await withInstallation(config, async (installation) => {
    const webhooks = await installation.webhooks;
    const messageId = await webhooks.ping(scope, endpoint);
    const deadline = performance.now() + PING_PATIENCE_MS;
    for (;;) {
      const sent = (await webhooks.deliveries(scope, endpoint, MAX)).find(
        (one) => one.messageId === messageId,
      );
      if (sent && sent.state !== 'pending') return sent;
      if (performance.now() > deadline)
        throw new CliFailure(
          `the ping was not sent within ${PING_PATIENCE_MS / 1_000} s. Check that analysis-worker is running with the same SOURCE_SECRETS_KEY as here.`,
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
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX}.`);
  return limit;
}
