import { Gauge, type Logger, type Management, type ServiceConfig } from '@outcomes/platform';
import type { Replica } from '@outcomes/tenancy';
import { clientConfig } from './client-config';

/** The standby that a service is told of, if any; operators see whether it is read. */
export function replicaOf(
  config: ServiceConfig,
  applicationName: string,
  logger: Logger,
  { registry }: Management,
): Replica | undefined {
  if (config.DATABASE_REPLICA_URL === undefined) return undefined;
  const used = new Gauge({
    name: 'outcomes_database_replica_used',
    help: 'Whether documents are read from the replica: 1, or 0 while it is away or too old.',
    registers: [registry],
  });
  used.set(0);
  return {
    config: clientConfig({
      url: config.DATABASE_REPLICA_URL,
      applicationName,
      // Whoever has waited as long as that is answered by the primary.
      statementTimeoutMs: Math.min(config.DATABASE_STATEMENT_TIMEOUT_MS, config.DATABASE_REPLICA_MAX_AGE_MS),
      connectTimeoutMs: Math.min(config.DATABASE_CONNECT_TIMEOUT_MS, config.DATABASE_REPLICA_MAX_AGE_MS),
      pooler: config.DATABASE_POOLER,
    }),
    maxAgeMs: config.DATABASE_REPLICA_MAX_AGE_MS,
    onChange: (isUsed, error) => {
      used.set(isUsed ? 1 : 0);
      if (isUsed) logger.info({}, 'the replica is read');
      else logger.warn({ err: error }, 'the replica is away or too old: the primary is read');
    },
  };
}
