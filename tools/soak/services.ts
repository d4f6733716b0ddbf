// The installation that is soaked: Postgres, Redis and all five services, as the images start them.
import { join } from 'node:path';
import { Failure } from '../local/failure.mjs';
import { within } from '../local/processes.mjs';
import { nodeOptionsOf, serviceEnvironmentOf } from '../local/settings.mjs';
import type { Installation } from '../reliability/installation.ts';
import { Client } from './client.ts';
import { Company } from './companies.ts';

export const apps = ['ingest-api', 'analysis-worker', 'read-api', 'mcp-gateway', 'console'] as const;
export type App = (typeof apps)[number];

/** Of their containers (k8s/chart/values.yaml), in megabytes of a million bytes. */
export const memoryLimits: Record<App, number> = {
  ...{ 'ingest-api': 537, 'analysis-worker': 805, 'read-api': 403, 'mcp-gateway': 403, console: 537 },
};
/** Connections to Postgres that each may open: DATABASE_POOL_SIZE of the chart, and two more where it reads. */
export const pools: Record<App, number> = {
  ...{ 'ingest-api': 12, 'analysis-worker': 12, 'read-api': 12, 'mcp-gateway': 12, console: 7 },
};

export interface Service {
  readonly app: App;
  readonly url: string;
  readonly management: string;
  readonly probe: string;
  readonly log: string;
  readonly life: { readonly pid: number | undefined; restart(signal: NodeJS.Signals): Promise<void> };
}

/** The installation starts it as it does the others. */
const consoleApp = 'console' as 'read-api';

export type Services = Record<App, Service>;

export async function startServices(installation: Installation): Promise<Services> {
  const started: [App, Service][] = [];
  for (const [index, app] of apps.entries()) {
    const probe = `--import ${join(import.meta.dirname, 'probe.ts')}`;
    const running = await installation.start(app === 'console' ? consoleApp : app, {
      ...(app === 'console' && { database: installation.logins.console }),
      environment: {
        ...serviceEnvironmentOf(app),
        NODE_OPTIONS: `${nodeOptionsOf(app)} ${probe}`,
        LOG_LEVEL: 'info',
        DATABASE_POOL_SIZE: app === 'console' ? '5' : '10',
        // What happens once an hour happens once a minute here.
        ...(app === 'analysis-worker' && { ANNOUNCEMENT_INTERVAL_MS: '60000' }),
        ...(app === 'console' && { CONSOLE_ORIGIN: 'http://localhost' }),
      },
    });
    const log = join(installation.directory, 'logs', `${app}-${index + 1}.log`);
    started.push([app, { app, log, ...running }]);
  }
  return Object.fromEntries(started) as Services;
}

/** Has a service do harm from now on, or cease to. */
export async function plant({ app, probe }: Service, fault: string) {
  const isDone = () =>
    fetch(`${probe}/${fault}`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await within(30_000, isDone))) throw new Failure(`The probe of ${app} does not answer.`);
}

/** Companies of different size, as their parts of all requests. */
const shares = { large: 0.5, medium: 0.25, small: 0.15, smaller: 0.07, smallest: 0.03 };

export async function makeCompanies(installation: Installation, base: number): Promise<Company[]> {
  const companies: Company[] = [];
  for (const [name, share] of Object.entries(shares)) {
    companies.push(new Company(await installation.newTenant(name), name, share, base));
  }
  return companies;
}

/** The company that the next request is of. */
export function drawCompany(companies: readonly Company[], chance: () => number): Company {
  let left = chance();
  return (companies.find(({ share }) => (left -= share) < 0) ?? companies[0]) as Company;
}

export type Clients = Record<'ingest' | 'read' | 'mcp' | 'console', Client>;

export function connect(services: Services): Clients {
  return {
    ingest: new Client('ingest', services['ingest-api'].url),
    read: new Client('read', services['read-api'].url),
    mcp: new Client('mcp', services['mcp-gateway'].url),
    console: new Client('console', services.console.url),
  };
}
