import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { analysisDocument, CHANNELS, DOCUMENTS, MATURITY_DAYS, type Channel } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { ENGINE_VERSION } from '@outcomes/statistics';
import { claimHistories, type ClaimHistory } from '../evidence/claim-history';
import { keepClaims, type KeptClaims } from '../evidence/claim.repository';
import { keepEvidence, type EvidenceNotes } from '../evidence/evidence-notes.repository';
import { keepWeek } from '../evidence/evidence-week.repository';
import { weekOf } from '../evidence/evidence-weeks';
import { keepChannels } from '../changes/channel-notes.repository';
import type { ChannelNotes } from '../changes/channel-history';
import type { HistoryNotes } from '../cohorts/read-history';
import { GENERAL_ANALYSIS } from '../documents/analysis-records';
import type { SerialisedDocument } from '../documents/serialise';
import { writeDocuments } from '../documents/snapshot.repository';
import type { CampaignTotals } from '../news/critical-campaign.repository';
import { tellRun } from '../news/tell-run';
import type { EvidenceAssessment } from '@outcomes/statistics';
import { beginPlanned, settlePlan, type PlanMark } from './analysis-plan.repository';
import { keepNotes } from './history-notes.repository';

export interface AnalysisRun {
  readonly runId: string;
  readonly runKey: string;
  /** Outcomes ingested up to here are in the run. */
  readonly dataAsOf: Date;
  /** The documents of this key stand already: nothing to do. */
  readonly finished: boolean;
  /** What had been counted when it began; undefined where it is finished. */
  readonly mark?: PlanMark;
}

interface StoredRun {
  run_id: string;
  state: 'running' | 'succeeded' | 'failed';
  data_as_of: Date;
}

/** What a run found about messages, and what the next need not read again of it. */
export interface RunEvidence {
  readonly assessments: readonly EvidenceAssessment[];
  readonly notes: EvidenceNotes;
}

/** What a run leaves. */
export interface RunResult {
  /** Messages that it read. */
  readonly messages: number;
  /** Made from the record of claims, this run's among them, by code, and from the moment at which the run ends. */
  readonly documents: (
    claims: ReadonlyMap<string, ClaimHistory>,
    analysedAt: Date,
  ) => readonly SerialisedDocument[];
  /** Null where it could not be looked for. */
  readonly evidence: RunEvidence | null;
  /** Totals of the campaigns of late; null where nobody wants to be told of critical ones. */
  readonly campaigns: readonly CampaignTotals[] | null;
  /** What the next run need not read again. */
  readonly notes: HistoryNotes;
  /** What it goes on from. */
  readonly channels: readonly ChannelNotes[];
}

/** What stands now. */
export interface NewestRun {
  readonly runId: string;
  readonly dataAsOf: Date;
  readonly armsAsOf: Date | null;
}

/** Keys of runs that an erasure asked for. */
const ERASURE_KEY = /^erasure/;

/** Keys of runs that mean "with whatever there is now", so that new data makes them run again. */
const ASKS_FOR_NEWEST = /^(first|manual)/;

// Outcomes are as fresh as the newest batch that was processed into the counts. A company whose counts came without
// batches is as fresh as its newest outcome; one without any data, as old as itself. Batches expire and outcomes are erased,
// but nothing is older than what stands already, or nothing would be put in its place.
const DATA_AS_OF = `greatest(
  (SELECT max(data_as_of) FROM snapshots WHERE company_id = $1),
  coalesce(
    (SELECT max(received_at) FROM ingest_batches WHERE company_id = $1 AND processed_at IS NOT NULL),
    (SELECT max(last_outcome_at) FROM cohort_counts WHERE company_id = $1),
    (SELECT created_at FROM companies WHERE company_id = $1)))`;

/** The book of runs, and the documents that they leave. */
@Injectable()
export class AnalysisRunRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Opens a run, or takes up the one of the same key that was broken off.
   * @param at - time of the start
   */
  async begin(scope: TenantScope, runKey: string, at: Date): Promise<AnalysisRun> {
    return this.alone(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const freshness = await client.query<{ data_as_of: Date }>(`SELECT ${DATA_AS_OF} AS data_as_of`, [
        companyId,
      ]);
      const dataAsOf = freshness.rows[0]?.data_as_of ?? at;
      const found = await client.query<StoredRun>(
        `SELECT run_id, state, data_as_of FROM analysis_runs
         WHERE company_id = $1 AND run_key = $2 ORDER BY begun_at DESC NULLS LAST, started_at DESC LIMIT 1`,
        [companyId, runKey],
      );
      const earlier = found.rows[0];
      if (
        earlier?.state === 'succeeded' &&
        !(ASKS_FOR_NEWEST.test(runKey) && earlier.data_as_of < dataAsOf)
      ) {
        return { runId: earlier.run_id, runKey, dataAsOf: earlier.data_as_of, finished: true };
      }
      const runId = earlier === undefined || earlier.state === 'succeeded' ? randomUUID() : earlier.run_id;
      await client.query(
        `INSERT INTO analysis_runs (company_id, run_id, run_key, state, engine_version, data_as_of, started_at, begun_at)
         VALUES ($1, $2, $3, 'running', $4, $5, $6, clock_timestamp())
         ON CONFLICT (company_id, run_id) DO UPDATE SET state = 'running', engine_version = excluded.engine_version,
           data_as_of = excluded.data_as_of, started_at = excluded.started_at, begun_at = excluded.begun_at,
           finished_at = NULL, failure_code = NULL`,
        [companyId, runId, runKey, ENGINE_VERSION, dataAsOf, at],
      );
      return { runId, runKey, dataAsOf, finished: false, mark: await beginPlanned(transaction) };
    });
  }

  /**
   * Puts all documents of a run in place and closes it, both or neither. A run that was overtaken, by its own twin
   * or by one that began later, leaves the documents as they are. What began later is told by the database: the clocks
   * of processes differ.
   */
  async publish(scope: TenantScope, run: AnalysisRun, result: RunResult, now: Date): Promise<void> {
    // Of a process whose clock is behind that of the one which received the data: nothing is analysed before it came.
    const at = now < run.dataAsOf ? run.dataAsOf : now;
    await this.alone(scope, async (transaction) => {
      const { client, companyId } = transaction;
      const closed = await client.query<{ overtaken: boolean }>(
        `UPDATE analysis_runs AS run SET state = 'succeeded', finished_at = $3, failure_code = NULL
         WHERE company_id = $1 AND run_id = $2 AND state <> 'succeeded'
         RETURNING EXISTS (SELECT FROM analysis_runs AS later
           WHERE later.company_id = $1 AND later.state = 'succeeded' AND later.begun_at > run.begun_at) AS overtaken`,
        [companyId, run.runId, at],
      );
      if (closed.rows[0]?.overtaken !== false) return;
      const claims = await keepFound(transaction, run, result.evidence);
      const record = [...claims.standing, ...claims.appended];
      const documents = result.documents(claimHistories(record), at);
      const { messages, campaigns } = result;
      await tellRun(transaction, { ...run, ...claims, messages, campaigns }, documents, at);
      await client.query(
        `DELETE FROM snapshots WHERE company_id = $1 AND document LIKE 'analysis/%' AND document <> ALL ($2)`,
        [companyId, documents.map(({ document }) => document)],
      );
      await writeDocuments(transaction, run.runId, run.dataAsOf, documents, at);
      await keepNotes(transaction, result.notes);
      await keepChannels(
        transaction,
        result.channels,
        (channel) => MATURITY_DAYS[CHANNELS[channel] as Channel],
        at,
      );
      // Last: who counts would wait for it until the commit.
      if (run.mark) await settlePlan(transaction, run.runKey, run.mark, result.messages);
    });
  }

  /** Replaces documents between runs, under the newest run's name. */
  async amend(
    scope: TenantScope,
    { runId, dataAsOf }: Pick<AnalysisRun, 'runId' | 'dataAsOf'>,
    documents: readonly SerialisedDocument[],
    at: Date,
  ): Promise<void> {
    await this.alone(scope, (transaction) => writeDocuments(transaction, runId, dataAsOf, documents, at));
  }

  /**
   * Replaces the arms, under the name of the run whose documents stand.
   * @param runId - of the run whose documents stood before the arms were computed
   * @returns false where another has published since: the arms may rest on what was there before it, and are not kept
   */
  async replaceArms(
    scope: TenantScope,
    { runId, dataAsOf }: Pick<AnalysisRun, 'runId' | 'dataAsOf'>,
    bandit: SerialisedDocument,
    at: Date,
  ): Promise<boolean> {
    return this.alone(scope, async (transaction) => {
      const { rowCount } = await transaction.client.query(
        'SELECT FROM snapshots WHERE company_id = $1 AND document = $2 AND run_id = $3',
        [transaction.companyId, analysisDocument(GENERAL_ANALYSIS), runId],
      );
      if (rowCount !== 1) return false;
      await writeDocuments(transaction, runId, dataAsOf, [bandit], at);
      return true;
    });
  }

  /**
   * Replaces documents under the name of the run that left one of them, as they are just now.
   * @param revised - makes the documents from the body of the one that is named; not called where there is none
   */
  async revise(
    scope: TenantScope,
    name: string,
    revised: (body: string) => readonly SerialisedDocument[],
    at: Date,
  ): Promise<void> {
    await this.alone(scope, async (transaction) => {
      const { rows } = await transaction.client.query<{ body: string; run_id: string; data_as_of: Date }>(
        'SELECT body, run_id, data_as_of FROM snapshots WHERE company_id = $1 AND document = $2',
        [transaction.companyId, name],
      );
      const [found] = rows;
      if (found) await writeDocuments(transaction, found.run_id, found.data_as_of, revised(found.body), at);
    });
  }

  /** Writes down why a run ended; what earlier runs found stays in place. */
  async fail(scope: TenantScope, run: AnalysisRun, failureCode: string, at: Date): Promise<void> {
    await this.database.transaction(scope, ({ client, companyId }) =>
      client.query(
        `UPDATE analysis_runs SET state = 'failed', failure_code = $3, finished_at = $4
         WHERE company_id = $1 AND run_id = $2 AND state = 'running'`,
        [companyId, run.runId, failureCode, at],
      ),
    );
  }

  /** @returns body of a document as the newest run left it */
  async document(scope: TenantScope, name: string): Promise<string | undefined> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<{ body: string }>(
        'SELECT body FROM snapshots WHERE company_id = $1 AND document = $2',
        [companyId, name],
      );
      return rows[0]?.body;
    });
  }

  /**
   * The run whose documents stand, if it had any data, and how fresh the data and the arms are now.
   * @returns undefined before such a run. One over nothing leaves no analysis, and must not stand in for the first.
   */
  async newestWithData(scope: TenantScope): Promise<NewestRun | undefined> {
    return this.database.transaction(scope, async ({ client, companyId }) => {
      const { rows } = await client.query<NewestRun>(
        `SELECT run_id AS "runId", ${DATA_AS_OF} AS "dataAsOf",
           (SELECT data_as_of FROM snapshots WHERE company_id = $1 AND document = $3) AS "armsAsOf"
         FROM snapshots WHERE company_id = $1 AND document = $2`,
        [companyId, analysisDocument(GENERAL_ANALYSIS), DOCUMENTS.bandit],
      );
      return rows[0];
    });
  }

  /** One transaction that no other run of the company is in at the same time. */
  private alone<Result>(
    scope: TenantScope,
    work: (transaction: TenantTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(scope, async (transaction) => {
      await transaction.client.query(`SELECT pg_advisory_xact_lock(hashtextextended('analysis.' || $1, 0))`, [
        transaction.companyId,
      ]);
      return work(transaction);
    });
  }
}

/** Keeps the evidence and what is claimed from it. @returns the record of claims; empty where none was looked for */
async function keepFound(
  transaction: TenantTransaction,
  { runKey, dataAsOf }: AnalysisRun,
  evidence: RunEvidence | null,
): Promise<KeptClaims> {
  if (evidence === null) return { standing: [], appended: [] };
  await keepEvidence(transaction, evidence.notes);
  const { assessments } = evidence;
  await keepWeek(transaction, assessments, weekOf(dataAsOf));
  const afterErasure = ERASURE_KEY.test(runKey);
  return keepClaims(transaction, { assessments, dataAsOf, afterErasure });
}
