import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@outcomes/platform';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';

export type DependencyState = 'operational' | 'degraded';

/** How long the look may take: whoever asks for health wants to know now. */
const PATIENCE_MS = 1_000;

/** Whether what the answers rest on can be reached at this moment. */
@Injectable()
export class DependencyStatusRepository {
  constructor(
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `database`: Postgres answers; `audit`: audit rows can be read. */
  async find(scope: TenantScope): Promise<{ database: DependencyState; audit: DependencyState }> {
    const [database, audit] = await Promise.all([
      this.look(scope, 'SELECT 1'),
      this.look(scope, `SELECT EXISTS (SELECT 1 FROM audit_log WHERE company_id = '${scope.companyId}')`),
    ]);
    return { database, audit };
  }

  private async look(scope: TenantScope, statement: string): Promise<DependencyState> {
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<DependencyState>((resolve) => {
      timer = setTimeout(() => resolve('degraded'), PATIENCE_MS);
    });
    const answer = this.database
      .transaction(scope, ({ client }) => client.query(statement))
      .then(
        (): DependencyState => 'operational',
        (error: unknown): DependencyState => {
          this.logger.warn({ err: error }, 'a dependency does not answer');
          return 'degraded';
        },
      );
    try {
      return await Promise.race([answer, impatience]);
    } finally {
      clearTimeout(timer);
    }
  }
}
