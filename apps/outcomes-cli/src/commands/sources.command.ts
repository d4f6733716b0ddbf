import type { CreatedSource, ReplayedDeliveries } from '@outcomes/ingestion';
import { PROFILES } from '@outcomes/source-profiles';
import { Command, InvalidArgumentError, Option } from 'commander';
import { scopeOf, withInstallation } from '../installation/open-installation';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import { pico, present, table } from '../output/terminal';
import { postReplay } from '../sources/post-replay';
import { clicksOf } from '../sources/clicks';
import { presentOverviews } from '../sources/present-overviews';
import { signingSecretOf, signingSecretOption } from '../sources/signing-secret';

interface CreateOptions {
  readonly company: string;
  readonly tool: string;
  readonly signingSecret?: string;
  readonly campaign?: string;
  readonly timeZone?: string;
  readonly json?: boolean;
}

interface ChangeOptions {
  readonly company: string;
  readonly signingSecret?: string;
  readonly json?: boolean;
}

const JSON_OPTION = ['--json', 'print a single JSON document on standard output'] as const;

export function sourcesCommand(config: CliConfig): Command {
  const command = new Command('sources').description(
    'Connects outreach tools that deliver by webhook, and manages what they delivered.',
  );
  const tools = PROFILES.filter(({ webhook }) => webhook).map(({ tool }) => tool);
  command
    .command('create')
    .description('Creates the address that a tool delivers to. Address and secret are shown only once.')
    .requiredOption('--company <id>', 'company that the deliveries belong to')
    .addOption(new Option('--tool <tool>', 'which tool').choices(tools).makeOptionMandatory())
    .addOption(signingSecretOption('the secret'))
    .option('--campaign <id>', "the tool's campaign id, if deliveries do not have it")
    .option('--time-zone <zone>', 'for times without a zone, such as Europe/Berlin')
    .option(...JSON_OPTION)
    .action((options: CreateOptions) => create(config, options));
  command
    .command('list')
    .description(
      'Lists the sources of a company: what each delivered, what is held or waiting, and what is missing.',
    )
    .requiredOption('--company <id>', 'company whose sources to list')
    .option(...JSON_OPTION)
    .action((options: ChangeOptions) => list(config, options));
  command
    .command('rotate')
    .description('Gives a source a new secret; the previous one is accepted for 7 more days.')
    .argument('<source>', 'id of the source, src_…')
    .requiredOption('--company <id>', 'company that the source belongs to')
    .addOption(signingSecretOption('the new secret'))
    .option(...JSON_OPTION)
    .action(async (source: string, { company, signingSecret, json }: ChangeOptions) => {
      const secret = await signingSecretOf(signingSecret);
      const rotated = await withInstallation(config, async ({ sources, deed }) =>
        (await sources).rotate(scopeOf(company), source, secret, deed),
      );
      presentSource(config, rotated, json);
    });
  command
    .command('revoke')
    .description('Stops accepting deliveries from a source, within seconds and permanently.')
    .argument('<source>', 'id of the source, src_…')
    .requiredOption('--company <id>', 'company that the source belongs to')
    .option(...JSON_OPTION)
    .action(async (source: string, { company, json }: ChangeOptions) => {
      await withInstallation(config, async ({ sources, deed }) =>
        (await sources).revoke(scopeOf(company), source, deed),
      );
      present(json ?? false, { source, state: 'revoked' }, () => `${source} is revoked.`);
    });
  command
    .command('steps')
    .description(
      'Maps the step ids of a tool to steps, from 0: "sources steps src_… 198394=0 198395=1 --company ID". Then run replay.',
    )
    .argument('<source>', 'id of the source, src_…')
    .argument('<steps...>', 'ID=STEP', stepOf)
    .requiredOption('--company <id>', 'company that the source belongs to')
    .option(...JSON_OPTION)
    .action(async (source: string, steps: Record<string, number>, { company, json }: ChangeOptions) => {
      const known = await withInstallation(config, async ({ sources, deed }) =>
        (await sources).addSteps(scopeOf(company), source, steps, deed),
      );
      present(json ?? false, { source, steps: known }, () => table(['id', 'step'], Object.entries(known)));
    });
  command
    .command('replay')
    .description(
      'Processes held records again, after new steps or a new version. Repeating it changes nothing.',
    )
    .argument('<source>', 'id of the source, src_…')
    .option('--since <time>', 'only records received since (default: all held records)')
    .option('--key <key>', 'API key (default: OUTCOMES_API_KEY, else the local quickstart key)')
    .option('--url <url>', `address of ingest-api (default: ${config.ingestApiUrl})`)
    .option(...JSON_OPTION)
    .action((source: string, options: { since?: string; key?: string; url?: string; json?: boolean }) =>
      replay(config, source, options),
    );
  return command;
}

async function create(config: CliConfig, { company, json, ...source }: CreateOptions): Promise<void> {
  const signingSecret = await signingSecretOf(source.signingSecret);
  const made = await withInstallation(config, async ({ sources, deed }) =>
    (await sources).create(scopeOf(company), { ...source, signingSecret }, deed),
  );
  presentSource(config, made, json);
}

function presentSource(
  { ingestApiUrl, ingestApiPublicUrl = ingestApiUrl }: CliConfig,
  source: CreatedSource,
  json = false,
): void {
  const url = ingestApiPublicUrl === '' ? null : `${ingestApiPublicUrl.replace(/\/$/, '')}${source.path}`;
  present(json, { ...source, url }, () =>
    [
      `Address  ${pico.bold(url ?? source.path)}`,
      ...(url === null ? ['Put in front of it where ingest-api is reached from outside: https://HOST'] : []),
      ...(source.secret === null ? [] : [`Secret   ${pico.bold(source.secret)}`]),
      ...clicksOf(source),
      'Keep both: they are not stored in clear and cannot be shown again.',
    ].join('\n'),
  );
}

async function list(config: CliConfig, { company, json }: ChangeOptions): Promise<void> {
  const scope = scopeOf(company);
  const { sources } = await withInstallation(config, async ({ sourceOverviews, requireCompany }) => {
    const found = await (await sourceOverviews).of(scope);
    if (found.sources.length === 0) await requireCompany(company);
    return found;
  });
  present(json ?? false, { sources }, () => presentOverviews(sources));
}

async function replay(
  config: CliConfig,
  source: string,
  { since, key, url, json }: { since?: string; key?: string; url?: string; json?: boolean },
): Promise<void> {
  const apiKey = key ?? config.apiKey;
  if (!apiKey) throw new CliFailure('no API key: give --key, or set OUTCOMES_API_KEY.');
  const total = { looked_at: 0, released: 0, accepted: 0, duplicates: 0 };
  let page: ReplayedDeliveries | undefined;
  do {
    page = await postReplay(url ?? config.ingestApiUrl, apiKey, {
      source,
      since,
      after: page?.next ?? undefined,
    });
    for (const field of Object.keys(total) as (keyof typeof total)[]) total[field] += page[field];
  } while (page.next !== null);
  present(
    json ?? false,
    total,
    () =>
      `${total.looked_at} held records processed again: ${total.released} could be read, ${total.accepted} events stored (${total.duplicates} duplicates).`,
  );
}

/** Called for each argument, with what the ones before it say. */
function stepOf(text: string, others: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, id, step] = /^([\w.-]{1,100})=(\d{1,2})$/.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError('Give ID=STEP, such as 198394=0.');
  return { ...others, [id]: Number(step) };
}
