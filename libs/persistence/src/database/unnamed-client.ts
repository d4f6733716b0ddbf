import type { Client, ClientConfig } from 'pg';
import { SteadyClient } from './steady-client';

type Ask = (...parameters: unknown[]) => unknown;

/**
 * A client for a pooler in transaction mode, which gives each transaction another connection to Postgres: statements have
 * no name there, because a name would be known to the connection that it was prepared on, and to no other.
 */
export class UnnamedClient extends SteadyClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    const ask = this.query.bind(this) as Ask;
    this.query = ((query: unknown, ...rest: unknown[]) =>
      ask(unnamed(query), ...rest)) as unknown as Client['query'];
  }
}

/** What is no plain question, such as a stream of rows, goes on as it is. */
function unnamed(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query) || 'submit' in query) return query;
  return { ...query, name: undefined };
}
