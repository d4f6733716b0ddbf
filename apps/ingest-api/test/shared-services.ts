import type { Tenant } from './ingest-api-process';

export const SERVICES_VARIABLE = 'INGEST_API_TEST_SERVICES';

/** The services that global-setup started, as the processes of the tests know them. */
export interface SharedServices {
  /** Base URL of the service that is well, and the database to plant tenants in. */
  readonly well: string;
  readonly ownerUrl: string;
  /** Its database lacks the table of keys. */
  readonly broken: { readonly baseUrl: string; readonly tenant: Tenant };
  /** Its database cannot be reached. */
  readonly away: { readonly baseUrl: string; readonly tenant: Tenant };
}

export function sharedServices(): SharedServices {
  return JSON.parse(process.env[SERVICES_VARIABLE] ?? '') as SharedServices;
}
