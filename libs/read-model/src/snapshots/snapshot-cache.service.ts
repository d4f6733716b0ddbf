import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CLOCK, type Clock } from '@outcomes/platform';
import { TenantDatabase, type PostgresChannel, type TenantScope } from '@outcomes/tenancy';
import type { ServedFrame } from '../runs/served-frame';
import { PreSerialised, servedFrame } from './pre-serialised';
import { SnapshotRepository, type StoredBody } from './snapshot.repository';

/** Told by a trigger of the table, with the commit of each change: the company whose documents are others now. */
const CHANNEL = 'snapshots_changed';
/** How long a document is believed where the message of its change is lost. */
const CACHE_TTL_MS = 1_000;
const MAX_BYTES = 32 * 1_048_576;
/** What a company without a document takes, roughly. */
const COMPANY_BYTES = 512;
/** Frames that are kept parsed; each takes some kilobytes. */
const MAX_FRAMES = 500;

/** What was read of the run beside a document. */
type FrameFound = Pick<StoredBody, 'frame' | 'lastRunFailed'>;

interface HeldDocument {
  readonly content: PreSerialised;
  readonly untilMs: number;
}

/** Documents of one company. Whoever forgets the company drops the whole object. */
interface HeldCompany {
  readonly documents: Map<string, HeldDocument>;
  bytes: number;
}

/**
 * Documents that were just read, ready to be sent, per company. A change is known here with its commit, less the
 * milliseconds that the message takes; while no messages arrive, nothing is remembered. Documents tell of groups and
 * never of a recipient, so that an erasure, which rewrites them through a run, needs no other way.
 */
@Injectable()
export class SnapshotCache implements OnApplicationShutdown {
  private readonly companies = new Map<string, HeldCompany>();
  private readonly frames = new Map<string, FrameFound & { readonly served: ServedFrame }>();
  private bytes = 0;
  private channel?: PostgresChannel;

  constructor(
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(TenantDatabase) private readonly database: TenantDatabase,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * One document of the company; undefined before the first run that writes it, which is not remembered.
   * @throws AppError as the database does
   */
  async find(scope: TenantScope, document: string): Promise<PreSerialised | undefined> {
    return this.held(scope, document) ?? this.read(scope, document);
  }

  /** The document where it is remembered: no wait, no I/O. */
  held({ companyId }: TenantScope, document: string): PreSerialised | undefined {
    const held = this.companies.get(companyId)?.documents.get(document);
    return held && held.untilMs > this.clock.now().getTime() ? held.content : undefined;
  }

  onApplicationShutdown(): void {
    this.channel?.stop();
  }

  private async read(scope: TenantScope, document: string): Promise<PreSerialised | undefined> {
    this.channel ??= this.database.listen(CHANNEL, {
      message: (companyId) => this.forget(companyId),
      gap: () => this.forgetAll(),
    });
    const company = this.channel.isHeard ? this.entered(scope.companyId) : undefined;
    const found = await this.snapshots.find(scope, document);
    if (!found) return undefined;
    const content = new PreSerialised(found.body, found.etag, this.frameOf(scope.companyId, found));
    // Forgotten meanwhile: what was read may be older than the change.
    if (company && this.companies.get(scope.companyId) === company) this.hold(company, document, content);
    return content;
  }

  /**
   * One object for all documents of a run, so that it is parsed once and put into words once a second. Its text was read with
   * the document, so nothing needs to be told of a change.
   */
  private frameOf(companyId: string, { frame, lastRunFailed }: FrameFound): ServedFrame {
    const known = this.frames.get(companyId);
    if (known?.frame === frame && known.lastRunFailed === lastRunFailed) return known.served;
    const served = servedFrame({ frame, lastRunFailed });
    this.frames.delete(companyId);
    this.frames.set(companyId, { frame, lastRunFailed, served });
    for (const oldest of this.frames.keys()) {
      if (this.frames.size <= MAX_FRAMES) break;
      this.frames.delete(oldest);
    }
    return served;
  }

  private entered(companyId: string): HeldCompany {
    const known = this.companies.get(companyId);
    if (known) return known;
    const company = { documents: new Map<string, HeldDocument>(), bytes: COMPANY_BYTES };
    this.companies.set(companyId, company);
    this.bytes += company.bytes;
    this.makeRoom();
    return company;
  }

  private hold(company: HeldCompany, document: string, content: PreSerialised): void {
    const before = company.documents.get(document);
    const added = sizeOf(content) - (before ? sizeOf(before.content) : 0);
    company.documents.set(document, { content, untilMs: this.clock.now().getTime() + CACHE_TTL_MS });
    company.bytes += added;
    this.bytes += added;
    this.makeRoom();
  }

  /** Beliefs end after a second, so that the company that came first is as good as any to go first. */
  private makeRoom(): void {
    for (const companyId of this.companies.keys()) {
      if (this.bytes <= MAX_BYTES) return;
      this.forget(companyId);
    }
  }

  private forget(companyId: string): void {
    this.bytes -= this.companies.get(companyId)?.bytes ?? 0;
    this.companies.delete(companyId);
  }

  private forgetAll(): void {
    this.companies.clear();
    this.bytes = 0;
  }
}

/** Bytes in memory: two per character at most. */
function sizeOf({ json }: PreSerialised): number {
  return json.length * 2;
}
