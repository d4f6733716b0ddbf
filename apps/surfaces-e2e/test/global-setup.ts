import { randomBytes } from 'node:crypto';
import { ENOUGH_FOR_ALL, shareInstallation, type App } from '@outcomes/testing';
import { startConsole } from './console-visitor';
import { Installation } from './installation';

export default async (): Promise<void> => {
  const secrets = randomBytes(32).toString('base64');
  const environment = { ...ENOUGH_FOR_ALL, SOURCE_SECRETS_KEY: secrets };
  const answering = ['read-api', 'mcp-gateway'] as const;
  await Promise.all([
    share('ingestion', environment, [...answering, 'ingest-api', 'analysis-worker']),
    share('console', environment, [...answering, 'console']),
  ]);
};

async function share(name: string, environment: Record<string, string>, apps: readonly App[]): Promise<void> {
  const installation = await Installation.create({ environment });
  await Promise.all(
    apps.map((app) => (app === 'console' ? startConsole(installation) : installation.start(app))),
  );
  shareInstallation(`surfaces-${name}`, installation, apps);
}
