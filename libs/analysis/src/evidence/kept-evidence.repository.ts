import { bigintOf, copiedRows, type CopiedRow } from '@outcomes/persistence';
import type { TenantTransaction } from '@outcomes/tenancy';
import type { KeptEvidence, KeptMark, KeptStrata, StoredFold } from './evidence-source';

const day = (column: string) => `${column} - date '1970-01-01'`;

const kept = (what: 'evidence' | 'strata') => `
  SELECT campaign, revision::text, make, ${day('matured_on')}, ${day('matures_next')}, ${what} FROM campaign_${what}
  WHERE company_id = $1::uuid AND campaign = ANY ($2::bigint[])`;

const KEPT = kept('evidence');
const KEPT_STRATA = kept('strata');
const FOLD = 'SELECT make, fold FROM evidence_folds WHERE company_id = $1::uuid';

/** What is kept of some campaigns, in any order. */
export async function keptEvidence(
  { client, companyId }: TenantTransaction,
  campaigns: readonly number[],
): Promise<KeptEvidence[]> {
  const rows = await copiedRows(client, KEPT, [companyId, campaigns]);
  return rows.map((row) => ({ ...markOf(row), evidence: row[5] as Buffer }));
}

/** The strata that were counted in some campaigns, in any order. */
export async function keptStrata(
  { client, companyId }: TenantTransaction,
  campaigns: readonly number[],
): Promise<KeptStrata[]> {
  const rows = await copiedRows(client, KEPT_STRATA, [companyId, campaigns]);
  return rows.map((row) => ({ ...markOf(row), strata: row[5] as Buffer }));
}

export async function storedFold({ client, companyId }: TenantTransaction): Promise<StoredFold | null> {
  const [row] = await copiedRows(client, FOLD, [companyId]);
  return row ? { make: textOf(row[0]), fold: row[1] as Buffer } : null;
}

function markOf(row: CopiedRow): KeptMark & { readonly campaign: number } {
  const [campaign, revision, make, maturedOn, maturesNext] = row;
  return {
    campaign: bigintOf(campaign as Buffer),
    revision: textOf(revision),
    make: textOf(make),
    maturedOn: maturedOn?.readInt32BE() ?? null,
    maturesNext: maturesNext?.readInt32BE() ?? null,
  };
}

function textOf(bytes: Buffer | null | undefined): string {
  return (bytes as Buffer).toString('latin1');
}
