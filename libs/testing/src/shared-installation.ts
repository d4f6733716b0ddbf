import type { App, Installation } from './installation';
import { keepForSuites } from './shared-services';
import { openTestDatabase, type TestDatabase } from './test-database';
import { publishToSuites, publishedToSuites } from './test-servers.config';

/** Services that suites share, as their processes know them. */
export interface SharedInstallation {
  readonly ownerUrl: string;
  readonly redisPrefix: string;
  /** Origins. */
  readonly urls: Readonly<Partial<Record<App, string>>>;
}

/**
 * For the global set-up of an app: lets suites join an installation. stopSharedServices stops it.
 * @param name - under which they find it
 * @param apps - what was started in it
 */
export function shareInstallation(name: string, installation: Installation, apps: readonly App[]): void {
  keepForSuites(installation);
  publishToSuites(name, {
    ownerUrl: installation.database.ownerUrl,
    redisPrefix: installation.redisPrefix,
    urls: Object.fromEntries(apps.map((app) => [app, installation.urlOf(app)])),
  });
}

/**
 * What a suite makes an Installation of that it shares with others: what it asserts has to be true whatever they do. When it
 * stops, what it started itself ends, and nothing else.
 * @returns the database, and what goes into the options of the Installation
 * @throws Error where the global set-up shares nothing of that name
 */
export async function joinSharedInstallation(
  name: string,
): Promise<{ readonly database: TestDatabase; readonly joined: SharedInstallation }> {
  const joined = publishedToSuites(name) as SharedInstallation;
  return { database: await openTestDatabase(joined.ownerUrl), joined };
}
