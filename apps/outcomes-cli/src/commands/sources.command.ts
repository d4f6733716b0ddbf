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

const JSON_OPTION = ['--json', 'print one JSON document and nothing else on standard output'] as const;

export function sourcesCommand(config: CliConfig): Command {
  const command = new Command('sources').description(
    'Connects outreach tools that deliver by themselves (webhooks), and looks after what they delivered.',
  );
  const tools = PROFILES.filter(({ webhook }) => webhook).map(({ tool }) => tool);
  command
    .command('create')
    .description('Makes the address that a tool delivers to. Address and secret are shown this once.')
    .requiredOption('--company <id>', 'company that the deliveries are of')
    .addOption(new Option('--tool <tool>', 'which tool').choices(tools).makeOptionMandatory())
    .option('--signing-secret <secret>', 'the secret that the tool signs with, where it shows one')
    .option('--campaign <id>', "the tool's id of the campaign, where deliveries do not say")
    .option('--time-zone <zone>', 'of times that are written without one, such as Europe/Berlin')
    .option(...JSON_OPTION)
    .action((options: CreateOptions) => create(config, options));
  command
    .command('list')
    .description(
      'Lists the sources of a company: what each delivered, what is held, what waits, and what is missing.',
    )
    .requiredOption('--company <id>', 'whose sources')
    .option(...JSON_OPTION)
    .action((options: ChangeOptions) => list(config, options));
  command
    .command('rotate')
    .description('Gives a source another secret; the one before is taken for 7 days.')
    .argument('<source>', 'its id, src_…')
    .requiredOption('--company <id>', 'whose source it is')
    .option('--signing-secret <secret>', 'the new secret that the tool signs with, where it shows one')
    .option(...JSON_OPTION)
    .action(async (source: string, { company, signingSecret, json }: ChangeOptions) => {
      const rotated = await withInstallation(config, ({ sources, deed }) =>
        sources.rotate(scopeOf(company), source, signingSecret, deed),
      );
      presentSource(config, rotated, json);
    });
  command
    .command('revoke')
    .description('Takes nothing more from a source, within seconds and for good.')
    .argument('<source>', 'its id, src_…')
    .requiredOption('--company <id>', 'whose source it is')
    .option(...JSON_OPTION)
    .action(async (source: string, { company, json }: ChangeOptions) => {
      await withInstallation(config, ({ sources, deed }) => sources.revoke(scopeOf(company), source, deed));
      present(json ?? false, { source, state: 'revoked' }, () => `${source} is revoked.`);
    });
  command
    .command('steps')
    .description(
      'Says which steps a tool means by its ids of them, from 0: "sources steps src_… 198394=0 198395=1". Then replay.',
    )
    .argument('<source>', 'its id, src_…')
    .argument('<steps...>', 'ID=STEP')
    .requiredOption('--company <id>', 'whose source it is')
    .option(...JSON_OPTION)
    .action(async (source: string, steps: readonly string[], { company, json }: ChangeOptions) => {
      const known = await withInstallation(config, ({ sources, deed }) =>
        sources.addSteps(scopeOf(company), source, stepsIn(steps), deed),
      );
      present(json ?? false, { source, steps: known }, () => table(['id', 'step'], Object.entries(known)));
    });
  command
    .command('replay')
    .description('Reads again what was held, after new steps or a new version. Sent again, nothing changes.')
    .argument('<source>', 'its id, src_…')
    .option('--since <time>', 'oldest receipt (default: everything that is held)')
    .option('--key <key>', 'API key (default: OUTCOMES_API_KEY, else the local quickstart key)')
    .option('--url <url>', `address of ingest-api (default: ${config.ingestApiUrl})`)
    .option(...JSON_OPTION)
    .action((source: string, options: { since?: string; key?: string; url?: string; json?: boolean }) =>
      replay(config, source, options),
    );
  return command;
}

async function create(config: CliConfig, { company, json, ...source }: CreateOptions): Promise<void> {
  const made = await withInstallation(config, ({ sources, deed }) =>
    sources.create(scopeOf(company), source, deed),
  );
  presentSource(config, made, json);
}

function presentSource({ ingestApiUrl }: CliConfig, source: CreatedSource, json = false): void {
  const url = `${ingestApiUrl}${source.path}`;
  present(json, { ...source, url }, () =>
    [
      `Address  ${pico.bold(url)}`,
      ...(source.secret === null ? [] : [`Secret   ${pico.bold(source.secret)}`]),
      ...clicksOf(source),
      'Keep both: they are not stored as they are and cannot be shown again.',
    ].join('\n'),
  );
}

async function list(config: CliConfig, { company, json }: ChangeOptions): Promise<void> {
  const scope = scopeOf(company);
  const { sources } = await withInstallation(config, ({ sourceOverviews }) => sourceOverviews.of(scope));
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
      `${total.looked_at} held records read again: ${total.released} could be read, ${total.accepted} events stored (${total.duplicates} known before).`,
  );
}

function stepsIn(steps: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    steps.map((text) => {
      const [, id, step] = /^([\w.-]{1,100})=(\d{1,2})$/.exec(text) ?? [];
      if (id === undefined) throw new InvalidArgumentError('Give ID=STEP, such as 198394=0.');
      return [id, Number(step)] as const;
    }),
  );
}
