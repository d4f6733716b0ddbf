import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  analysisDocument,
  analysisKeyOf,
  type AnalysisRecord,
  type ChunkCatalogue,
  DAY_MS,
  DOCUMENTS,
} from '@outcomes/contracts';
import { CLOCK, LOGGER, type Clock, type Logger } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { serialise } from '../documents/serialise';
import { AnalysisRunRepository } from '../runs/analysis-run.repository';
import { askModel, type ChatFailure } from './chat-client';
import { llmRecord, measuredLlm, withLlmChunk } from './llm-record';
import { LlmSampleRepository } from './llm-sample.repository';
import { LLM_SETTINGS, type LlmSettings } from './llm-settings';
import { questionAbout, readingOf, type SampledMessage } from './reading';
import { scrubBodies } from './scrub-bodies';

const DOCUMENT = analysisDocument(analysisKeyOf('llm'));
/** Messages of one question. */
const SAMPLE = 40;
const FEWEST_MESSAGES = 10;
/** Companies that wait their turn; more are taken up on their next run. */
const LONGEST_QUEUE = 1_000;
/** A reading older than this says nothing about what is sent now. */
const KEPT_DAYS = 7;
/** After an erasure nothing stays that may have been written about the erased. */
const ERASES = /^erasure/;

type AnalysisOutcome = 'stored' | 'allowance_used' | 'too_few_messages' | 'nothing_fit_to_show' | ChatFailure;

/** The `llm` chunk, beside the analysis: it is asked for after a run, one company at a time, and delays nobody. */
@Injectable()
export class LlmAnalysis implements OnModuleDestroy {
  private readonly waiting = new Map<string, TenantScope>();
  private readonly stop = new AbortController();
  private working: Promise<void> | undefined;

  constructor(
    @Inject(LLM_SETTINGS) private readonly settings: LlmSettings | null,
    @Inject(LlmSampleRepository) private readonly samples: LlmSampleRepository,
    @Inject(AnalysisRunRepository) private readonly runs: AnalysisRunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What an earlier reading said, for a run to publish again; undefined where there is none to keep. */
  async carried(scope: TenantScope, runKey: string): Promise<AnalysisRecord | undefined> {
    if (this.settings === null || ERASES.test(runKey)) return undefined;
    const body = await this.runs.document(scope, DOCUMENT);
    if (body === undefined) return undefined;
    const record = JSON.parse(body) as AnalysisRecord;
    const age = this.clock.now().getTime() - Date.parse(record.metadata.updated);
    return age < KEPT_DAYS * DAY_MS ? record : undefined;
  }

  /** Asks for a new reading after a run. Returns at once; whatever goes wrong stays here. */
  request(scope: TenantScope): void {
    if (this.settings === null || this.stop.signal.aborted || this.waiting.size >= LONGEST_QUEUE) return;
    this.waiting.set(scope.companyId, scope);
    this.working ??= this.work(this.settings).finally(() => {
      this.working = undefined;
    });
  }

  /** Resolves when nobody waits any more. */
  async idle(): Promise<void> {
    await this.working;
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.working;
  }

  private async work(settings: LlmSettings): Promise<void> {
    for (let next = this.next(); next && !this.stop.signal.aborted; next = this.next()) {
      // Neither bodies nor answers are ever logged: an error's text could quote them, so only its kind is.
      const outcome = await this.read(next, settings).catch((error: unknown) => kindOf(error));
      this.logger.info({ outcome }, 'a language model was asked');
    }
  }

  private next(): TenantScope | undefined {
    const first = this.waiting.entries().next().value;
    if (first) this.waiting.delete(first[0]);
    return first?.[1];
  }

  private async read(scope: TenantScope, settings: LlmSettings): Promise<AnalysisOutcome> {
    const sample = sampleOf(await this.samples.bodies(scope));
    if (sample.length < FEWEST_MESSAGES) return 'too_few_messages';
    const day = this.clock.now().toISOString().slice(0, 10);
    if (!(await this.samples.claim(scope, day, sample.length, settings.dailyMessages)))
      return 'allowance_used';
    const answer = await askModel(settings, questionAbout(sample), this.stop.signal);
    if ('failure' in answer) return answer.failure;
    const reading = readingOf(answer.content);
    if (reading === undefined) return 'nothing_fit_to_show';
    const updated = this.clock.now();
    const record = llmRecord(scope.companyId, reading, sample, {
      model: settings.model,
      updated: updated.toISOString(),
    });
    await this.runs.revise(
      scope,
      DOCUMENTS.chunks,
      (chunks) => [
        serialise(DOCUMENT, record),
        serialise(DOCUMENTS.chunks, withLlmChunk(JSON.parse(chunks) as ChunkCatalogue, measuredLlm(record))),
      ],
      updated,
    );
    return 'stored';
  }
}

function sampleOf(
  bodies: readonly { text: string; recipient: string; answered: boolean }[],
): SampledMessage[] {
  return scrubBodies(bodies)
    .flatMap((text, index) =>
      text === undefined ? [] : [{ text, answered: bodies[index]?.answered ?? false }],
    )
    .slice(0, SAMPLE);
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
