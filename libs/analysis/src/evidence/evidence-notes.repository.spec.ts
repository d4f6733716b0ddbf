import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import {
  keepCampaigns,
  keepEvidence,
  type CampaignNote,
  type EvidenceNotes,
  type StrataNote,
} from './evidence-notes.repository';
import { EVIDENCE_MAKE } from './packed-evidence';
import { STRATA_MAKE } from './pair-strata';

const COMPANY = randomUUID();
const NOTHING: EvidenceNotes = { campaigns: [], strata: [], gone: [], fold: 'stands' };
const stateOf = (campaign: number) => ({
  ...{ campaign, revision: `revision ${campaign}` },
  ...{ maturedOn: 20_500 + campaign, maturesNext: campaign % 2 === 0 ? null : 20_600 },
});
const campaigns = (count: number): CampaignNote[] =>
  Array.from({ length: count }, (_, at) => ({
    ...stateOf(at + 1),
    ...{ evidence: Buffer.of(at), variants: at % 2 === 0 ? null : Buffer.of(at) },
  }));
const strata = (count: number): StrataNote[] =>
  Array.from({ length: count }, (_, at) => ({ ...stateOf(at + 1), strata: Buffer.of(at) }));

/** Which statements write what. */
async function written(work: (transaction: TenantTransaction) => Promise<void>) {
  const asked: { statement: string; parameters: readonly unknown[] }[] = [];
  const query = async (statement: string, parameters: readonly unknown[]) => {
    const [, name = ''] = /^\s*((?:INSERT INTO|DELETE FROM) \w+)/.exec(statement) ?? [];
    asked.push({ statement: name, parameters });
  };
  await work({ companyId: COMPANY, client: { query } } as unknown as TenantTransaction);
  return asked;
}
const kept = (notes: Partial<EvidenceNotes>) =>
  written((transaction) => keepEvidence(transaction, { ...NOTHING, ...notes }));
const statements = (asked: Awaited<ReturnType<typeof kept>>) => asked.map(({ statement }) => statement);
/** Campaigns of each statement that has a table. */
const keysOf = (asked: Awaited<ReturnType<typeof kept>>, statement: string) =>
  asked.filter((one) => one.statement === statement).map(({ parameters }) => parameters[2]);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('what a run keeps of evidence', () => {
  it('is nothing where all of it stands', async () => {
    expect(await kept({})).toEqual([]);
  });

  it('is written fifty campaigns at a time, each once', async () => {
    const asked = await kept({ campaigns: campaigns(120), strata: strata(101) });
    expect(keysOf(asked, 'INSERT INTO campaign_evidence')).toEqual([
      ...[range(1, 50), range(51, 100), range(101, 120)],
    ]);
    const pages = [range(1, 50), range(51, 100), [101]];
    expect(keysOf(asked, 'DELETE FROM campaign_strata')).toEqual(pages);
    expect(keysOf(asked, 'INSERT INTO campaign_strata')).toEqual(pages);
    const whole = await written((transaction) => keepCampaigns(transaction, campaigns(50)));
    expect(keysOf(whole, 'INSERT INTO campaign_evidence')).toEqual([range(1, 50)]);
  });

  it('is of the state in which each campaign was read, and of the program that made it', async () => {
    const marks = [
      ...[
        [1, 2],
        ['revision 1', 'revision 2'],
      ],
      [isoDay(20_501), isoDay(20_502)],
      [isoDay(20_600), null],
    ];
    const [own] = await kept({ campaigns: campaigns(2) });
    expect(own?.parameters.slice(0, 6)).toEqual([COMPANY, EVIDENCE_MAKE, ...marks]);
    const asked = await kept({ strata: strata(2) });
    for (const { parameters } of asked)
      expect(parameters.slice(0, 6)).toEqual([COMPANY, STRATA_MAKE, ...marks]);
    const unmatured = { ...stateOf(1), maturedOn: null, strata: null };
    const [forgotten] = await kept({ strata: [unmatured] });
    expect(forgotten?.parameters[4]).toEqual([null]);
  });

  it('goes with its campaigns: with those that are known to be gone, or with all that are no more', async () => {
    const tables = ['DELETE FROM campaign_evidence', 'DELETE FROM campaign_strata'];
    const known = await kept({ gone: [3, 7] });
    expect(statements(known)).toEqual(tables);
    for (const { parameters } of known) expect(parameters).toEqual([COMPANY, [3, 7]]);
    const unknown = await kept({ gone: null });
    expect(statements(unknown)).toEqual(tables);
    for (const { parameters } of unknown) expect(parameters).toEqual([COMPANY]);
  });

  it('is a fold with what was judged of it, or none', async () => {
    const fold = { fold: Buffer.of(1), judgedOf: Buffer.of(2), judgement: Buffer.of(3) };
    expect(await kept({ fold })).toEqual([
      {
        statement: 'INSERT INTO evidence_folds',
        parameters: [COMPANY, EVIDENCE_MAKE, fold.fold, fold.judgedOf, fold.judgement],
      },
    ]);
    expect(await kept({ fold: null })).toEqual([
      { statement: 'DELETE FROM evidence_folds', parameters: [COMPANY] },
    ]);
  });
});
