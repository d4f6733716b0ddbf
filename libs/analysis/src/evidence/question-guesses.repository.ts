import type { CompanionPair, FoldQuestions } from '@outcomes/statistics';
import type { TenantTransaction } from '@outcomes/tenancy';
import { EVIDENCE_DESIGN } from './evidence-design';
import { isSamePair, STRATA_MAKE, unpackStrata } from './pair-strata';

/** Codes that have had some evidence: at any time, because a look back over the newest fortnights is asked of the past. */
const ONCE_SUPPORTED = 'SELECT DISTINCT code FROM evidence_weeks WHERE company_id = $1 AND log_e > 2';

/** Campaigns that compare anything have the strata of the same pairs, as a rule. */
const SOME_STRATA = 'SELECT strata FROM campaign_strata WHERE company_id = $1 AND make = $2 LIMIT 20';

/**
 * What a fold that is made from scratch will probably be asked: by what was claimed before and what it was held against.
 * Where one level of a dimension has an effect, the others are compared with it, and seem to have one too. Steps differ
 * in every company.
 */
export async function guessQuestions({ client, companyId }: TenantTransaction): Promise<FoldQuestions> {
  const supported = await client.query<{ code: string }>(ONCE_SUPPORTED, [companyId]);
  const counted = await client.query<{ strata: Buffer }>(SOME_STRATA, [companyId, STRATA_MAKE]);
  const found = counted.rows.flatMap(({ strata }) =>
    unpackStrata(strata).map(({ code, within }) => ({ code, within, since: null })),
  );
  const pairs = found.filter((pair, i) => found.findIndex((own) => isSamePair(own, pair)) === i);
  return { watched: watchedOf(new Set(supported.rows.map(({ code }) => code)), pairs), changes: [], pairs };
}

function watchedOf(supported: ReadonlySet<string>, pairs: readonly CompanionPair[]): number[] {
  const { codes, dimensions, features } = EVIDENCE_DESIGN;
  const names = new Set(pairs.map(({ within }) => within));
  for (const { code, dimension } of codes) {
    if (supported.has(code) || pairs.some((pair) => pair.code === code)) names.add(dimension);
  }
  return features.flatMap(({ dimension }, feature) => {
    const own = dimensions[dimension];
    return own && (own.kind === 'step' || names.has(own.name)) ? [feature] : [];
  });
}
