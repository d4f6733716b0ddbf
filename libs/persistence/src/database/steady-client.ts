import { Client, type ClientConfig } from 'pg';

/**
 * A client that always has somebody who hears of its errors. Postgres may end a connection in the same breath in which it
 * says that it is ready, as when all are ended at a failover: by then the pool listens no more, and whoever asked for the
 * connection not yet. An error that nobody hears ends the process. Pool and query runner still hear of all that is theirs.
 */
export class SteadyClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
