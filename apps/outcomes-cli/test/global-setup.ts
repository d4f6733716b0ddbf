import { ENOUGH_FOR_ALL, shareInstallation } from '@outcomes/testing';
import { Installation, SECRETS, SHARED } from './installation';

export default async (): Promise<void> => {
  const apps = ['ingest-api', 'analysis-worker', 'read-api'] as const;
  const installation = await Installation.start(apps, { ...ENOUGH_FOR_ALL, ...SECRETS });
  shareInstallation(SHARED, installation, apps);
};
