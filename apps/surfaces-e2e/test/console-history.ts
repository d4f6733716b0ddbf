import { type BacktestDocument, type ClaimEntry, DAY_MS, DOCUMENTS } from '@outcomes/contracts';
import type { TestDatabase } from '@outcomes/testing';

const WEEKS = 12;
/** A Monday. */
const FIRST = Date.parse('2026-01-05T00:00:00Z');

const monday = (week: number) => new Date(FIRST + week * 7 * DAY_MS).toISOString().slice(0, 10);

/** How the evidence about TA-1 came to be: weeks that were folded later, then weeks of runs, and what was claimed. */
export async function plantWeeks(database: Pick<TestDatabase, 'query'>, companyId: string): Promise<void> {
  for (let week = 0; week < WEEKS; week += 1) {
    const tier = week < 4 ? 'none' : week < 8 ? 'likely' : 'confirmed';
    await database.query(
      `INSERT INTO evidence_weeks (company_id, code, week, folded_later, tier, log_e, log_limit, odds_ratio,
         odds_ratio_low, odds_ratio_high, messages) VALUES ($1, 'TA-1', $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        companyId,
        monday(week),
        week < 6,
        tier,
        week * 0.9,
        5.9,
        1 + week / 20,
        0.5 + week / 20,
        3,
        100 * week,
      ],
    );
  }
  const document: BacktestDocument = {
    ...{ made_at: '2026-04-01T00:00:00.000Z', reason: null, from: monday(0), through: monday(5), weeks: 6 },
    claims: [claim(2, 'none', 'likely'), claim(1, 'likely', null)],
    scores: {
      ...{ forecasts: 2, messages: 900, expectedReplies: 31.5, observedReplies: 36, groups: 2, covered: 2 },
      observedOverExpected: { value: 1.14286, low: 0.8, high: 1.58 },
      bins: [{ predicted: 0.035, observed: 0.04, low: 0.028, high: 0.055, n: 900 }],
    },
    forecasts: [forecast('2026-01-20', 500, 20), forecast('2026-02-19', 400, 16)],
  };
  await database.query(
    `INSERT INTO snapshots (company_id, document, run_id, data_as_of, updated_at, etag, body)
     VALUES ($1, $2, gen_random_uuid(), now(), now(), 'planted', $3)
     ON CONFLICT (company_id, document) DO UPDATE SET body = excluded.body`,
    [companyId, DOCUMENTS.backtest, JSON.stringify(document)],
  );
}

function claim(
  number: number,
  tier: ClaimEntry['tier'],
  previousTier: ClaimEntry['tier'] | null,
): ClaimEntry {
  return {
    ...{ code: 'TA-1', number, tier, previousTier, isMore: tier === 'none' ? null : true },
    ...{ since: `2026-02-0${number}T00:00:00.000Z`, reason: tier === 'none' ? 'undecided' : 'found' },
    ...{ goesWith: null, oddsRatio: 1.4, oddsRatioLow: 1.1, oddsRatioHigh: 1.8, messages: 400 },
  };
}

const forecast = (madeOn: string, n: number, y: number) => ({
  ...{ madeOn, channel: 'email' as const, position: 'vp' as const, predicted: 0.035 },
  ...{ low: 0.02, high: 0.05, n, y },
});
