import { loadConfig, serviceConfigSchema, type ServiceConfig } from '@outcomes/platform';

/** What the read API needs and nothing else has: its local ports. */
export function readApiConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ServiceConfig {
  return loadConfig(serviceConfigSchema({ port: 3001, managementPort: 9001 }), environment, process.argv);
}
