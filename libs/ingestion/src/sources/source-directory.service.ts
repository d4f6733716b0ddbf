import { Inject, Injectable } from '@nestjs/common';
import { atMost, CLOCK, SecretBox, type Clock } from '@outcomes/platform';
import { profileOf } from '@outcomes/source-profiles';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { LRUCache } from 'lru-cache';
import { SourceRepository, type SourceRow } from './source.repository';
import { SOURCE_ID, type Source } from './source';

/** The box with the key of the installation; the application provides it. */
export const SECRET_BOX = Symbol('SecretBox');

/** How long a pod believes what it read: so long a rotation, a step table or a new source may take to be known. */
const CACHE_TTL_MS = 5_000;
const MAX_KNOWN = 5_000;
/** Unknown ids have a place of their own, so that a flood of them pushes no real source out. */
const MAX_UNKNOWN = 5_000;

/** Finds sources by the id that a delivery names, before any company is known. */
@Injectable()
export class SourceDirectory {
  private readonly known = new LRUCache<string, Source>({ ...atMost(MAX_KNOWN), ttl: CACHE_TTL_MS });
  private readonly unknown = new LRUCache<string, true>({ ...atMost(MAX_UNKNOWN), ttl: CACHE_TTL_MS });
  /** Ids that were found once, whatever became of the sources since. */
  private readonly familiar = new LRUCache<string, true>(atMost(MAX_KNOWN));
  private readonly underWay = new Map<string, Promise<Source | undefined>>();

  constructor(
    @Inject(SourceRepository) private readonly sources: SourceRepository,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether the database would have to be asked about an id that was never found here. */
  isStrange(sourceId: string): boolean {
    return SOURCE_ID.test(sourceId) && !this.unknown.has(sourceId) && !this.familiar.has(sourceId);
  }

  /** @returns undefined where there is no such source, or none any more */
  async find(sourceId: string): Promise<Source | undefined> {
    if (!SOURCE_ID.test(sourceId) || this.unknown.has(sourceId)) return undefined;
    return this.known.get(sourceId) ?? this.underWay.get(sourceId) ?? this.lookUp(sourceId);
  }

  /** Makes of a row what deliveries are judged by. */
  sourceOf(row: SourceRow): Source | undefined {
    const profile = profileOf(row.tool);
    if (!profile?.webhook || row.revokedAt !== null) return undefined;
    const keepsPrevious = row.previousUntil !== null && row.previousUntil > this.clock.now();
    const tokens = [row.tokenSha256, keepsPrevious ? row.previousTokenSha256 : null];
    const sealed = [row.signingSecret, keepsPrevious ? row.previousSigningSecret : null];
    return {
      scope: mintTenantScope(row.companyId),
      sourceId: row.sourceId,
      profile,
      webhook: profile.webhook,
      secrets: {
        tokenHashes: tokens.filter((token) => token !== null),
        signingSecrets: sealed.flatMap((secret) =>
          secret ? (this.box.open(secret, row.sourceId) ?? []) : [],
        ),
      },
      campaign: row.campaign ?? undefined,
      timeZone: row.timeZone ?? undefined,
      steps: row.steps,
    };
  }

  private async lookUp(sourceId: string): Promise<Source | undefined> {
    const reading = this.read(sourceId);
    this.underWay.set(sourceId, reading);
    try {
      const source = await reading;
      if (source) this.known.set(sourceId, source);
      else this.unknown.set(sourceId, true);
      return source;
    } finally {
      this.underWay.delete(sourceId);
    }
  }

  private async read(sourceId: string): Promise<Source | undefined> {
    const row = await this.sources.named(sourceId);
    if (row) this.familiar.set(sourceId, true);
    return row && this.sourceOf(row);
  }
}
