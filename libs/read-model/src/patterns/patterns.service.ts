import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  DOCUMENTS,
  METRICS,
  OPERATIONAL_ANALYSES,
  PATTERN_DESCRIPTIONS,
  analysisDocument,
  analysisKeyOf,
  type RecipientProfile,
  type SegmentDocument,
  RECIPIENT_PROFILES,
  type RecipientProfilesQuery,
} from '@outcomes/contracts';
import { FairTurns } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { arrayChunks, JsonStream } from '../snapshots/json-stream';
import { decodeCursor, encodeCursor } from '../arguments/cursor';
import { ListPage } from '../snapshots/list-page';
import { RunRepository } from '../runs/run.repository';
import { ServedFrame } from '../runs/served-frame';
import { parseSnapshot } from '../snapshots/parse-snapshot';
import { PreSerialised, servedFrame } from '../snapshots/pre-serialised';
import { SnapshotCache } from '../snapshots/snapshot-cache.service';
import { SnapshotRepository } from '../snapshots/snapshot.repository';
import { ResponderRepository } from '../touches/responder.repository';
import { EMPTY_CHUNKS, EMPTY_INSIGHTS, EMPTY_RECIPIENTS } from './empty-documents';
import { profileOf } from './recipient-profile';

const PROFILES = 'profiles';
/** Profiles that are held in memory at once; a longer list is read while it is sent. */
const MAX_AT_HAND = 2_000;
/** Pages of one company that are read at once for all its long lists together, and how long a list waits for its next. */
const PAGE_TURNS = 2;
/** Of all companies together: the other connections are for short reads. Nobody has more than two in that line. */
const ALL_PAGE_TURNS = 3;
const PAGE_WAIT_MS = 30_000;
/** Pass-through of the analytics envelope, which has a `data` of its own. */
const DESCRIPTIONS = PreSerialised.from({ success: true, data: PATTERN_DESCRIPTIONS });

/** The documents of the patterns group. They are sent as the analysis wrote them. */
@Injectable()
export class PatternsService {
  private readonly pageTurns = new FairTurns(PAGE_TURNS, PAGE_WAIT_MS);
  private readonly allPageTurns = new FairTurns(ALL_PAGE_TURNS, PAGE_WAIT_MS);

  constructor(
    @Inject(SnapshotRepository) private readonly snapshots: SnapshotRepository,
    @Inject(SnapshotCache) private readonly cache: SnapshotCache,
    @Inject(ResponderRepository) private readonly responders: ResponderRepository,
    @Inject(RunRepository) private readonly runs: RunRepository,
  ) {}

  /** Pattern records, highest tier first; an empty list before the first run. */
  patterns(scope: TenantScope): PreSerialised | Promise<PreSerialised> {
    return this.stored(scope, DOCUMENTS.patterns, []);
  }

  /** Every code of the catalogue with its description: the same for every tenant. */
  descriptions(): PreSerialised {
    return DESCRIPTIONS;
  }

  /** The first stored analysis record in ascending order of its key, or an empty object. */
  async firstAnalysis(scope: TenantScope): Promise<PreSerialised> {
    const found = await this.snapshots.findFirst(scope, analysisDocument(''));
    return found ? PreSerialised.of(found) : PreSerialised.from({}, await this.frameWithout(scope));
  }

  recipients(scope: TenantScope): PreSerialised | Promise<PreSerialised> {
    return this.stored(scope, DOCUMENTS.recipients, EMPTY_RECIPIENTS);
  }

  /**
   * The profiles that are asked for: one page where a limit or a cursor is given, else all of them.
   * @throws AppError INVALID_PARAMETER for a cursor of another list
   */
  async selectedProfiles(
    scope: TenantScope,
    { recommendationCode, limit, cursor }: RecipientProfilesQuery,
  ): Promise<PreSerialised | JsonStream | ListPage> {
    const after = decodeCursor(PROFILES, cursor) ?? '';
    const isPaged = limit !== undefined || cursor !== undefined;
    if (!isPaged || recommendationCode !== undefined) return this.profiles(scope, recommendationCode);
    return this.profilePage(scope, after, limit ?? RECIPIENT_PROFILES.arguments.limit.default);
  }

  /**
   * Recipients who have answered, from the messages themselves, so that an erased recipient is gone at once.
   * @param recommendationCode - keeps the profiles that carry exactly this code. Only rows of an older format did, and
   * none is left
   * @returns all of them: a list that is at hand while it is short, and one that is read as it is sent beyond that
   */
  async profiles(scope: TenantScope, recommendationCode?: string): Promise<PreSerialised | JsonStream> {
    const found = await this.snapshots.find(scope, DOCUMENTS.segments);
    const frame = found ? servedFrame(found) : await this.frameWithout(scope);
    if (recommendationCode !== undefined) return PreSerialised.from([], frame);
    const pages = this.profilePages(scope, parseSnapshot<SegmentDocument>(found));
    const profiles: RecipientProfile[] = [];
    for (;;) {
      const page = await pages.next();
      if (page.done) return PreSerialised.from(profiles, frame);
      profiles.push(...page.value);
      if (profiles.length >= MAX_AT_HAND) return new JsonStream(arrayChunks(profiles, pages), frame);
    }
  }

  chunks(scope: TenantScope): PreSerialised | Promise<PreSerialised> {
    return this.stored(scope, DOCUMENTS.chunks, EMPTY_CHUNKS);
  }

  /**
   * The stored analysis record of one metric, or of an operational row (OPERATIONAL_ANALYSES) that the catalogue does
   * not list.
   * @throws AppError METRIC_NOT_FOUND for a name that is none of these, METRIC_HAS_NO_DATA before a run that
   * has data for it
   */
  async chunk(scope: TenantScope, metricName: string): Promise<PreSerialised> {
    const key =
      METRICS.map((metric) => metric.metricName)
        .filter((name) => name === metricName)
        .map(analysisKeyOf)[0] ?? OPERATIONAL_ANALYSES.find((name) => name === metricName);
    if (key === undefined) throw new AppError('METRIC_NOT_FOUND');
    const found = await this.cache.find(scope, analysisDocument(key));
    if (!found) throw new AppError('METRIC_HAS_NO_DATA');
    return found;
  }

  contactInsights(scope: TenantScope): PreSerialised | Promise<PreSerialised> {
    return this.stored(scope, DOCUMENTS.contactInsights, EMPTY_INSIGHTS);
  }

  /** One profile more is read than a page has, to know whether the list goes on. */
  private async profilePage(scope: TenantScope, after: string, limit: number): Promise<ListPage> {
    const document = await this.snapshots.find(scope, DOCUMENTS.segments);
    const segments = parseSnapshot<SegmentDocument>(document);
    const withIndustry = segments?.attribute === 'industry';
    const found = await this.responders.page(scope, after, { withIndustry, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = last && found.length > limit ? encodeCursor(PROFILES, last.personId) : undefined;
    return new ListPage(
      page.map((responder) => profileOf(scope.companyId, responder, segments)),
      next,
      document ? servedFrame(document) : await this.frameWithout(scope),
    );
  }

  private async *profilePages(
    scope: TenantScope,
    segments: SegmentDocument | undefined,
  ): AsyncGenerator<RecipientProfile[], undefined> {
    const withIndustry = segments?.attribute === 'industry';
    let after = '';
    for (;;) {
      const page = await this.pageTurns.run(scope.companyId, () =>
        this.allPageTurns.run('all', () => this.responders.page(scope, after, { withIndustry })),
      );
      const last = page.at(-1);
      if (!last) return;
      after = last.personId;
      yield page.map((responder) => profileOf(scope.companyId, responder, segments));
    }
  }

  /** No promise where the document is at hand, as it is for most requests. */
  private stored(
    scope: TenantScope,
    document: string,
    otherwise: object,
  ): PreSerialised | Promise<PreSerialised> {
    return (
      this.cache.held(scope, document) ??
      this.cache
        .find(scope, document)
        .then(async (found) => found ?? PreSerialised.from(otherwise, await this.frameWithout(scope)))
    );
  }

  /** What is said of the run where it left no document: whether there was one at all, and anything to analyse. */
  private async frameWithout(scope: TenantScope): Promise<ServedFrame> {
    const { frame, freshness } = await this.runs.read(scope);
    return new ServedFrame(frame, freshness);
  }
}
