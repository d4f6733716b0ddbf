import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { FairTurns } from '@outcomes/platform';
import type { Client, Pool, PoolClient, QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { databaseFailure, isReadOnlyFailure, unavailable } from './database-failure';
import { PipelinedReads, type PreparedStatement, type ReadsConfig } from './pipelined-reads';
import { PostgresChannel } from './postgres-channel';
import { ReplicaReads, type Replica } from './replica-reads';
import type { SystemScope } from './system/system-scope';
import type { TenantScope } from './tenant-scope';
import { together } from './together';
import type { SystemTransaction, TenantTransaction } from './transactions';

/** Connections of the pool by company, where one must not take them all. */
export const TENANT_TURNS = Symbol('TenantTurns');
/** A standby that reads of documents may go to; there is none unless it is provided. */
export const REPLICA = Symbol('Replica');

/** Takes statements that are sent and not answered yet: COMMIT follows them without waiting, and fails where they do. */
export type CommitWith = (sent: Promise<unknown>) => void;

/**
 * The only way to tenant data. Every transaction begins by telling Postgres whose rows it may see
 * (`app.company_id`, local to the transaction), and row-level security does the rest.
 */
@Injectable()
export class TenantDatabase implements OnApplicationShutdown, OnModuleInit {
  private readonly reads = new PipelinedReads(() => this.pool.options as ReadsConfig);
  private readonly replica: ReplicaReads | undefined;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Optional() @Inject(TENANT_TURNS) private readonly turns?: FairTurns,
    @Optional() @Inject(REPLICA) replica?: Replica,
  ) {
    this.replica = replica && new ReplicaReads(replica, this.reads);
  }

  /** From the start on it is known, and told, whether the replica is read. */
  onModuleInit(): void {
    this.replica?.start();
  }

  /** Ends the connections of `read`; the pool is its owner's. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reads.stop(), this.replica?.stop()]);
  }

  /**
   * Runs work in one transaction of one tenant, committed when the work resolves.
   * @throws AppError SERVICE_UNAVAILABLE where Postgres is away or the tenant has too much under way, INTERNAL_ERROR for
   * any other fault of ours
   */
  async transaction<Result>(
    scope: TenantScope,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.forTenant(
      scope,
      `SELECT set_config('app.company_id', '${scope.companyId}', true)`,
      (client, manager) => work(within(scope, client, manager)),
    );
  }

  /**
   * The same for a few rows, once nobody else holds the tenant's lock of that class, which is kept to the end of the
   * transaction: one round trip for both. Rows are looked up by their keys, however small Postgres takes a table to be,
   * and the plan of a statement with a name is made once for a connection, since making it takes longer than such a
   * statement runs: the name must change where another plan could be right.
   * @param lockClass - first key of the advisory lock; the second is the tenant
   * @throws AppError as `transaction` does
   */
  async exclusive<Result>(
    scope: TenantScope,
    lockClass: number,
    work: (transaction: TenantTransaction, commitWith: CommitWith) => Promise<Result>,
  ): Promise<Result> {
    return this.forTenant(
      scope,
      `SELECT set_config('app.company_id', '${scope.companyId}', true), set_config('enable_seqscan', 'off', true),
         set_config('plan_cache_mode', 'force_generic_plan', true);
       SELECT pg_advisory_xact_lock(${lockClass}, hashtext('${scope.companyId}'))`,
      (client, manager, commitWith) => work(within(scope, client, manager), commitWith),
    );
  }

  /**
   * Reads in one transaction of one tenant that sees one state of the database, however many statements it takes.
   * @throws AppError as `transaction` does
   */
  async snapshot<Result>(
    scope: TenantScope,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.forTenant(
      scope,
      `SELECT set_config('app.company_id', '${scope.companyId}', true)`,
      (client, manager) =>
        work(within(scope, client, manager)).catch((cause: unknown) => {
          // A write in here is refused for what it is in, not for the server that it meets.
          throw isReadOnlyFailure(cause) ? new AppError('INTERNAL_ERROR', {}, { cause }) : cause;
        }),
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
  }

  /**
   * Runs work that is of no single tenant, such as finding the tenant of a presented key. It sees only what policies grant
   * to the settings of its scope.
   * @throws AppError as `transaction` does
   */
  async unscoped<Result>(
    { settings }: SystemScope,
    work: (transaction: SystemTransaction) => Promise<Result>,
  ): Promise<Result> {
    const assignments = Object.entries(settings).map(
      ([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', true)`,
    );
    return this.withSettings(`SELECT ${['1', ...assignments].join(', ')}`, (client, manager) =>
      work({ settings, client, manager } as SystemTransaction),
    );
  }

  /**
   * Runs one statement in a transaction of its own: one round trip, prepared once per connection. What it may see and
   * write follows from the `app.*` settings that it makes itself, local to it.
   * @param query - its first value is the tenant, where it is for one
   * @throws AppError as `transaction` does
   */
  async statement<Row extends QueryResultRow>(
    scope: TenantScope | SystemScope,
    query: PreparedStatement,
  ): Promise<Row[]> {
    // From TypeORM's pool without its query runner, which costs as much as the statement.
    return this.rowsOf(scope, query, async () => (await this.pool.query<Row>(query)).rows);
  }

  /**
   * The same for a read by primary key, over a connection that all such reads share: it waits for no turn and wakes
   * no other process of Postgres, which costs more than the read. Where there is a replica it answers, as long as it is
   * young enough: for what runs leave, never for what permits or forbids.
   * @throws AppError as `transaction` does
   */
  async read<Row extends QueryResultRow>(
    scope: TenantScope | SystemScope,
    query: PreparedStatement,
  ): Promise<Row[]> {
    return this.rowsOf(
      scope,
      query,
      async () => (await this.replica?.run<Row>(query)) ?? this.reads.run<Row>(query),
    );
  }

  /**
   * Hears what transactions tell on a channel, over a connection beside the pool; nothing behind a pooler.
   * @param name - of the channel; an identifier of ours, never of a caller
   */
  listen(name: string, on: ConstructorParameters<typeof PostgresChannel>[2]): PostgresChannel {
    return new PostgresChannel(
      () => (this.isConnected && !this.isPooled ? this.pool.options : undefined),
      name,
      on,
    );
  }

  /** Behind a pooler in transaction mode a channel would seem to be heard, and never say anything. */
  private get isPooled(): boolean {
    return 'isPooled' in this.pool.options && this.pool.options.isPooled === true;
  }

  private async rowsOf<Row>(
    scope: TenantScope | SystemScope,
    { values }: PreparedStatement,
    work: () => Promise<Row[]>,
  ): Promise<Row[]> {
    if (!this.isConnected) throw unavailable();
    try {
      // The text makes its own setting of it: a scope beside it would prove nothing about another tenant's id.
      if ('companyId' in scope && values[0] !== scope.companyId)
        throw new Error('the first value of a statement is the tenant that it is for');
      return await work();
    } catch (error) {
      throw databaseFailure(error);
    }
  }

  /**
   * False before there is a pool, as in a service that started while Postgres was away, and from the moment in which it is
   * told to end: TypeORM takes a data source for initialized until the last connection is closed.
   */
  private get isConnected(): boolean {
    const pool = this.pool as Pool | undefined;
    return this.dataSource.isInitialized && pool?.ending === false;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }

  private forTenant<Result>(
    { companyId }: TenantScope,
    ...settings: Parameters<typeof this.withSettings<Result>>
  ): Promise<Result> {
    const work = () => this.withSettings<Result>(...settings);
    return this.turns ? this.turns.run(companyId, work) : work();
  }

  private async withSettings<Result>(
    setSettings: string,
    work: (client: PoolClient, manager: EntityManager, commitWith: CommitWith) => Promise<Result>,
    begin = 'BEGIN',
  ): Promise<Result> {
    return this.connected(async (client, manager) => {
      const last: Promise<unknown>[] = [];
      const commitWith: CommitWith = (sent) => {
        // It is waited for below; until then its failure is nobody's.
        sent.catch(() => undefined);
        last.push(sent);
      };
      try {
        // The first statement of the work does not wait for the answer: where this fails, all that follow do too.
        const began = client.query(`${begin}; ${setSettings}`);
        const [, result] = await together(began, work(client, manager, commitWith));
        // Where a statement before it fails, Postgres answers it with a rollback.
        const [{ command }] = await together(client.query('COMMIT'), ...last);
        // Where a statement failed and the work swallowed it, Postgres answers COMMIT with a rollback, politely.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  private async connected<Result>(
    work: (client: PoolClient, manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    if (!this.isConnected) throw unavailable();
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      // A connection that was being opened when the pool was told to end.
      if (!this.isConnected) throw unavailable();
      return await work(client, runner.manager).catch(async (error: unknown) => {
        // The pool takes no connection back that was ended: the next one may lead to the new primary.
        if (isReadOnlyFailure(error)) await end(client);
        throw error;
      });
    } catch (error) {
      // A runner whose connection was lost is released by that, and refuses statements in words of its own.
      if (runner.isReleased && !(error instanceof AppError)) throw unavailable(error);
      throw databaseFailure(error);
    } finally {
      await runner.release().catch(() => undefined);
    }
  }
}

/** What a transaction of a tenant is: the proof, and what to work with. */
function within({ companyId }: TenantScope, client: PoolClient, manager: EntityManager): TenantTransaction {
  return { companyId, client, manager } as TenantTransaction;
}

/** A pool's client can be ended like any other, though its type does not say so. */
async function end(client: PoolClient): Promise<void> {
  await (client as PoolClient & Pick<Client, 'end'>).end().catch(() => undefined);
}
