import { Inject, Injectable } from '@nestjs/common';
import { bigintOf, copiedRows, type CopiedRow } from '@outcomes/persistence';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { foldWeeks, type FoldedWeeks } from '../backtest/fold-weeks';
import type { CampaignRows } from './campaign-evidence';
import type { CompanyEvidence } from './company-evidence';
import { countStrata } from './strata-counts.repository';
import { keepCampaigns } from './evidence-notes.repository';
import type {
  CampaignRegistry,
  EvidenceSource,
  EvidenceStore,
  KeptVariants,
  RegisteredCampaign,
  StoredJudgement,
} from './evidence-source';
import { guessQuestions } from './question-guesses.repository';
import { keptEvidence, keptStrata, storedFold } from './kept-evidence.repository';
import { newestMatured } from './matured-fortnights';
import { EVIDENCE_MAKE } from './packed-evidence';
import { readEvidence } from './read-evidence';

const IS_REBUILT = `SELECT EXISTS (SELECT FROM touch_rebuilds WHERE company_id = $1)
  OR EXISTS (SELECT FROM campaign_generations WHERE company_id = $1 AND NOT counts_subjects) AS "isRebuilt"`;

const day = (column: string) => `${column} - date '1970-01-01'`;

const REGISTERED = `
  SELECT campaign, campaigns.campaign_id AS "campaignId", campaigns.revision, kept.revision AS "keptRevision", kept.make,
    ${day('kept.matured_on')} AS "maturedOn", ${day('kept.matures_next')} AS "maturesNext"
  FROM (SELECT campaign, campaign_id, revision FROM campaigns WHERE company_id = $1) AS campaigns
  FULL JOIN (SELECT campaign, revision, make, matured_on, matures_next FROM campaign_evidence
    WHERE company_id = $1) AS kept USING (campaign)`;

const REGISTRY = `${REGISTERED} ORDER BY campaign`;

/**
 * As `standingOf` and `nameOfMatured` do it: thousands of campaigns are what they were, and their rows would be most of
 * what a daily run reads.
 */
const STANDING = `
  WITH own AS MATERIALIZED (
    SELECT *, coalesce(revision = "keptRevision" AND make = $2 AND coalesce("maturedOn" <= $3, true)
      AND coalesce($3 < "maturesNext", true), false) AS stands
    FROM (${REGISTERED}) AS registered)
  SELECT sha256(convert_to(coalesce((SELECT string_agg(
        concat_ws(' ', campaign, revision, "maturedOn", coalesce("maturesNext"::text, '')), E'\\n' ORDER BY campaign)
      FROM own WHERE stands AND "maturedOn" IS NOT NULL), ''), 'UTF8')) AS "judgedOf",
    (SELECT json_agg(own ORDER BY campaign) FROM own WHERE NOT stands) AS others`;

const JUDGEMENT = `
  SELECT make, judged_of AS "judgedOf", judgement FROM evidence_folds
  WHERE company_id = $1 AND judgement IS NOT NULL`;

const VARIANTS = `
  SELECT campaign, variants FROM campaign_evidence WHERE company_id = $1 AND variants IS NOT NULL`;

/** What is still to mature need not be read. */
const CELLS = `
  SELECT campaign, fortnight, CASE WHEN fortnight <= $3::int THEN counts END AS counts FROM campaign_cells
  WHERE company_id = $1::uuid AND campaign = ANY ($2::bigint[]) ORDER BY campaign, fortnight`;

/** Stops at a campaign's first message that was not drawn by lot. */
const RANDOMIZED = `
  SELECT campaign_id AS "campaignId" FROM unnest($2::text[]) AS given (campaign_id)
  WHERE NOT EXISTS (
    SELECT FROM touches WHERE company_id = (SELECT $1::uuid) AND touches.campaign_id = given.campaign_id
      AND variant_id IS NOT NULL AND propensity IS NULL)`;

const [BODIES, SUBJECTS] = ['campaign_texts', 'campaign_subjects'].map(
  (table) => `
  SELECT campaign, counts FROM ${table}
  WHERE company_id = $1::uuid AND campaign = ANY ($2::bigint[]) ORDER BY campaign, shard`,
) as [string, string];

interface StoredCampaign {
  /** The driver hands over whole numbers of 64 bits as text. */
  readonly campaign: string;
  readonly campaignId: string | null;
  /** null where the campaign is no more */
  readonly revision: string | null;
  /** Null, as the mark, where nothing is kept of it. */
  readonly keptRevision: string | null;
  readonly make: string | null;
  readonly maturedOn: number | null;
  readonly maturesNext: number | null;
}

/** Reads what the campaigns of a company amount to. */
@Injectable()
export class CampaignEvidenceRepository {
  constructor(@Inject(TenantDatabase) private readonly database: TenantDatabase) {}

  /**
   * Judges the campaigns of a company, in one state of the database.
   * @param observedUntil - day up to which the company's outcomes are known, since 1970-01-01
   * @returns null while an upgrade rebuilds the counts: they are of a part of the messages, and say nothing
   */
  async read(scope: TenantScope, observedUntil: number): Promise<CompanyEvidence | null> {
    return this.database.snapshot(scope, async (transaction) => {
      if (await isRebuilt(transaction)) return null;
      return readEvidence(
        { ...sourceOf(transaction, observedUntil), store: this.storeOf(scope) },
        observedUntil,
      );
    });
  }

  /**
   * Judges the same as of the end of some weeks, in one state of the database, and leaves what runs have kept alone.
   * @param mondays - days since 1970-01-01, ascending
   * @returns null while an upgrade rebuilds the counts
   */
  async history(scope: TenantScope, mondays: readonly number[]): Promise<FoldedWeeks | null> {
    return this.database.snapshot(scope, async (transaction) => {
      if (await isRebuilt(transaction)) return null;
      return foldWeeks((observedUntil) => sourceOf(transaction, observedUntil), mondays);
    });
  }

  private storeOf(scope: TenantScope): EvidenceStore {
    return {
      keep: (campaigns) =>
        this.database.transaction(scope, (transaction) => keepCampaigns(transaction, campaigns)),
      kept: (campaigns) =>
        this.database.transaction(scope, (transaction) => keptEvidence(transaction, campaigns)),
    };
  }
}

async function isRebuilt({ client, companyId }: TenantTransaction): Promise<boolean> {
  const { rows } = await client.query<{ isRebuilt: boolean }>(IS_REBUILT, [companyId]);
  return (rows[0] as (typeof rows)[number]).isRebuilt;
}

function sourceOf(transaction: TenantTransaction, observedUntil: number): EvidenceSource {
  const { client, companyId } = transaction;
  return {
    registry: async () => registryOf((await client.query<StoredCampaign>(REGISTRY, [companyId])).rows),
    standing: async () => {
      const parameters = [companyId, EVIDENCE_MAKE, observedUntil];
      const { rows } = await client.query<{ judgedOf: Buffer; others: StoredCampaign[] | null }>(
        STANDING,
        parameters,
      );
      const { judgedOf, others } = rows[0] as (typeof rows)[number];
      const { campaigns, gone } = registryOf(others ?? []);
      return { judgedOf, others: campaigns, gone };
    },
    fold: () => storedFold(transaction),
    judgement: async () => (await client.query<StoredJudgement>(JUDGEMENT, [companyId])).rows[0] ?? null,
    guess: () => guessQuestions(transaction),
    variants: async () =>
      (await client.query<KeptVariants>(VARIANTS, [companyId])).rows.map((row) => ({
        ...row,
        campaign: Number(row.campaign),
      })),
    kept: (campaigns) => keptEvidence(transaction, campaigns),
    keptStrata: (campaigns) => keptStrata(transaction, campaigns),
    rows: (campaigns) => rowsOf(transaction, campaigns, newestMatured(observedUntil)),
    strata: (pair, range) => countStrata(transaction, pair, range, observedUntil),
    // Messages that name no campaign were sent by nobody in particular: no lot is taken for granted.
    randomized: async (campaigns) => {
      const names = campaigns.flatMap(({ campaignId }) => campaignId ?? []);
      const { rows } = await client.query<{ campaignId: string }>(RANDOMIZED, [companyId, names]);
      return rows.map(({ campaignId }) => campaignId);
    },
  };
}

function registryOf(rows: readonly StoredCampaign[]): CampaignRegistry {
  const campaigns: RegisteredCampaign[] = [];
  const gone: number[] = [];
  for (const row of rows) {
    const { campaignId, revision, keptRevision, make, maturedOn, maturesNext } = row;
    const campaign = Number(row.campaign);
    const kept =
      keptRevision === null ? null : { revision: keptRevision, make: make as string, maturedOn, maturesNext };
    if (revision === null) gone.push(campaign);
    else campaigns.push({ campaign, campaignId, revision, kept });
  }
  return { campaigns, gone };
}

async function rowsOf(
  { client, companyId }: TenantTransaction,
  campaigns: readonly number[],
  newest: number,
): Promise<CampaignRows[]> {
  const rows = await copiedRows(client, CELLS, [companyId, campaigns, newest]);
  const cells = Map.groupBy(rows, ([campaign]) => bigintOf(campaign as Buffer));
  const matured = campaigns.filter((campaign) => cells.get(campaign)?.some(([, , counts]) => counts));
  const countsIn = async (table: string) => {
    const texts = matured.length > 0 ? await copiedRows(client, table, [companyId, matured]) : [];
    const byCampaign = Map.groupBy(texts, ([campaign]) => bigintOf(campaign as Buffer));
    return (campaign: number) => (byCampaign.get(campaign) ?? []).map(([, counts]) => counts as Buffer);
  };
  const bodies = await countsIn(BODIES);
  const subjects = await countsIn(SUBJECTS);
  return campaigns.map((campaign) => {
    const own = cells.get(campaign) ?? [];
    const fortnightOf = ([, fortnight]: CopiedRow) => (fortnight as Buffer).readInt32BE();
    return {
      campaign,
      cells: own.flatMap((row) => (row[2] ? [{ fortnight: fortnightOf(row), counts: row[2] }] : [])),
      later: own.flatMap((row) => (row[2] ? [] : [fortnightOf(row)])),
      texts: [bodies(campaign), subjects(campaign)],
    };
  });
}
