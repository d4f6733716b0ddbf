import type { Deed } from '@outcomes/audit';
import type { TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import type { CliConfig } from '../outcomes-cli.config';
import { CliFailure } from '../output/cli-failure';
import type { OpenInstallation } from './connected-installation';

export type { OpenInstallation };

/**
 * Opens an installation, runs the work, and closes every connection whatever happens. What that takes is loaded here, so
 * that commands which need none of it do not wait for a second of CPU.
 */
export async function withInstallation<Result>(
  config: CliConfig,
  work: (installation: OpenInstallation) => Promise<Result>,
): Promise<Result> {
  const { connected } = await import('./connected-installation.js');
  return connected(config, work);
}

/** Who works here. */
export function deedOf({ operator }: CliConfig): Deed {
  return { by: { type: 'operator', id: operator } };
}

/** @throws CliFailure where the text is no company id */
export function scopeOf(companyId: string): TenantScope {
  try {
    return mintTenantScope(companyId.toLowerCase());
  } catch (cause) {
    throw new CliFailure(`"${companyId}" is not a company id; see "outcomes company list".`, { cause });
  }
}
