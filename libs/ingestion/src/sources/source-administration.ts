import { hash } from 'node:crypto';
import { recordAdministration, type AdministrativeEntry, type Deed } from '@outcomes/audit';
import { AppError, DAY_MS } from '@outcomes/contracts';
import { companyExists } from '@outcomes/persistence';
import { randomBase62, type Clock, type SecretBox } from '@outcomes/platform';
import { isTimeZone, profileOf } from '@outcomes/source-profiles';
import type { TenantDatabase, TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { ROTATION_DAYS } from './source';
import type { SourceRepository } from './source.repository';

export interface NewSource {
  readonly tool: string;
  /** The secret that the tool shows where it signs by itself; drawn here where the tool takes ours. */
  readonly signingSecret?: string | undefined;
  readonly campaign?: string | undefined;
  readonly timeZone?: string | undefined;
}

/** What is shown once, and stored as a hash or encrypted. */
export interface CreatedSource {
  readonly sourceId: string;
  readonly tool: string;
  /** Below the address of ingest-api; with the secret in it where the tool can carry it nowhere else. */
  readonly path: string;
  /** Header that the tool has to set or sets, and what goes in; null where the path is all. */
  readonly header: string | null;
  readonly secret: string | null;
  readonly authentication: 'path' | 'header' | 'hmac-sha256-hex' | 'hmac-sha1-hex';
}

interface Secrets {
  readonly tokenSha256: Buffer | null;
  readonly signingSecret: Buffer | null;
  readonly shown: string;
}

const ID_LENGTH = 22;
const SECRET_LENGTH = 32;
const MAX_STEP = 50;

/** Makes and changes sources. The caller has made sure that it may. */
export class SourceAdministration {
  constructor(
    private readonly database: TenantDatabase,
    private readonly sources: SourceRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError COMPANY_NOT_FOUND; INVALID_PARAMETER for a tool without webhooks, a missing or useless secret, an unknown zone */
  async create(scope: TenantScope, source: NewSource, deed: Deed): Promise<CreatedSource> {
    const webhook = webhookOf(source.tool);
    if (source.timeZone !== undefined && !isTimeZone(source.timeZone))
      throw invalid('timeZone', 'There is no such time zone; name one such as Europe/Berlin.');
    if (!this.box.hasKey)
      throw invalid(
        'SOURCE_SECRETS_KEY',
        'Set SOURCE_SECRETS_KEY first, here and for ingest-api: 32 random bytes in base64. What tools sign with and what cannot be read yet are kept encrypted.',
      );
    const sourceId = `src_${randomBase62(ID_LENGTH)}`;
    const secrets = this.secretsOf(sourceId, webhook.authentication, source.signingSecret);
    const now = this.clock.now();
    await this.database.transaction(scope, async (transaction) => {
      if (!(await companyExists(transaction))) throw new AppError('COMPANY_NOT_FOUND');
      await this.sources.insert(transaction, {
        sourceId,
        tool: source.tool,
        campaign: source.campaign ?? null,
        timeZone: source.timeZone ?? null,
        tokenSha256: secrets.tokenSha256,
        signingSecret: secrets.signingSecret,
        createdAt: now,
      });
      await this.record(transaction, deed, 'source.create', sourceId, { tool: source.tool });
    });
    return created(sourceId, source.tool, secrets.shown);
  }

  /**
   * Gives a source another secret; the one before is taken for a week.
   * @throws AppError SOURCE_NOT_FOUND, INVALID_PARAMETER
   */
  async rotate(
    scope: TenantScope,
    sourceId: string,
    signingSecret: string | undefined,
    deed: Deed,
  ): Promise<CreatedSource> {
    const now = this.clock.now();
    return this.database.transaction(scope, async (transaction) => {
      const tool = await this.sources.lock(transaction, sourceId);
      if (tool === undefined) throw new AppError('SOURCE_NOT_FOUND');
      const secrets = this.secretsOf(sourceId, webhookOf(tool).authentication, signingSecret);
      const previousUntil = new Date(now.getTime() + ROTATION_DAYS * DAY_MS);
      await this.sources.replaceSecrets(transaction, sourceId, secrets, previousUntil);
      await this.record(transaction, deed, 'source.rotate', sourceId, { tool });
      return created(sourceId, tool, secrets.shown);
    });
  }

  /**
   * Says which step of a sequence a tool means by its ids; added to what is known already.
   * @param steps - zero-based
   * @returns all that is known now
   * @throws AppError SOURCE_NOT_FOUND, INVALID_PARAMETER
   */
  async addSteps(
    scope: TenantScope,
    sourceId: string,
    steps: Readonly<Record<string, number>>,
    deed: Deed,
  ): Promise<Readonly<Record<string, number>>> {
    const numbers = Object.values(steps);
    if (!numbers.every((step) => Number.isInteger(step) && step >= 0 && step <= MAX_STEP))
      throw invalid('steps', `Steps are whole numbers from 0 to ${MAX_STEP}.`);
    return this.change(scope, sourceId, deed, 'source.steps', { steps: numbers.length }, (transaction) =>
      this.sources.addSteps(transaction, sourceId, steps),
    );
  }

  /** Ends a source for good; known to all pods within seconds. @throws AppError SOURCE_NOT_FOUND */
  async revoke(scope: TenantScope, sourceId: string, deed: Deed): Promise<void> {
    await this.change(scope, sourceId, deed, 'source.revoke', {}, (transaction) =>
      this.sources.revoke(transaction, sourceId, this.clock.now()),
    );
  }

  private async change<Changed>(
    scope: TenantScope,
    sourceId: string,
    deed: Deed,
    action: AdministrativeEntry['action'],
    details: Readonly<Record<string, string | number>>,
    update: (transaction: TenantTransaction) => Promise<Changed | undefined>,
  ): Promise<Changed> {
    return this.database.transaction(scope, async (transaction) => {
      const changed = await update(transaction);
      if (changed === undefined) throw new AppError('SOURCE_NOT_FOUND');
      await this.record(transaction, deed, action, sourceId, details);
      return changed;
    });
  }

  private async record(
    transaction: TenantTransaction,
    deed: Deed,
    action: AdministrativeEntry['action'],
    subject: string,
    details: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    await recordAdministration(transaction, {
      ...{ ...deed, action, subject, details },
      occurredAt: this.clock.now(),
    });
  }

  private secretsOf(
    sourceId: string,
    authentication: CreatedSource['authentication'],
    given: string | undefined,
  ): Secrets {
    if (authentication === 'path' || authentication === 'header') {
      if (given !== undefined) throw invalid('signingSecret', 'This tool does not sign what it delivers.');
      const shown = randomBase62(SECRET_LENGTH);
      return { tokenSha256: hash('sha256', shown, 'buffer'), signingSecret: null, shown };
    }
    const shown = given ?? randomBase62(SECRET_LENGTH);
    if (shown.length < 8 || shown.length > 256)
      throw invalid('signingSecret', 'A secret to sign with has 8 to 256 characters.');
    return { tokenSha256: null, signingSecret: this.box.seal(shown, sourceId), shown };
  }
}

function webhookOf(tool: string) {
  const webhook = profileOf(tool)?.webhook;
  if (!webhook)
    throw invalid(
      'tool',
      `${tool} delivers nothing by itself that is of use. "outcomes import" takes its exports.`,
    );
  return webhook;
}

function created(sourceId: string, tool: string, shown: string): CreatedSource {
  const { authentication, header = null } = webhookOf(tool);
  const isInPath = authentication === 'path';
  return {
    sourceId,
    tool,
    path: `/ingest/sources/${sourceId}${isInPath ? `/${shown}` : ''}`,
    header,
    secret: isInPath ? null : shown,
    authentication,
  };
}

function invalid(parameter: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}
