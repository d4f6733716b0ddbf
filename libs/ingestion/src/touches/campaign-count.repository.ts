import { Injectable } from '@nestjs/common';
import { CampaignCellCounts, CampaignDayCounts, CampaignTextCounts } from '@outcomes/persistence';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { byteStrings } from '../storage/binary-column';
import type { CampaignDelta, CampaignDeltas, PackedDelta } from './campaign-deltas';

type Client = TenantTransaction['client'];

/** Counts that are kept packed: one row per key, read and written as a whole. */
interface PackedCounts<Self> {
  merge(other: Self): void;
  encode(): Buffer | null;
}

/** A table of packed counts, with the two columns of its key beside the company. */
interface PackedTable<Counts extends PackedCounts<Counts>> {
  readonly name: string;
  readonly key: readonly [readonly [name: string, type: string], readonly [name: string, type: string]];
  decode(bytes: Buffer): Counts;
}

const DAYS: PackedTable<CampaignDayCounts> = {
  name: 'campaign_days',
  key: [
    ['channel', 'smallint'],
    ['sent_day', 'date'],
  ],
  decode: (bytes) => CampaignDayCounts.decode(bytes),
};
const CELLS: PackedTable<CampaignCellCounts> = {
  name: 'campaign_cells',
  key: [
    ['campaign', 'bigint'],
    ['fortnight', 'integer'],
  ],
  decode: (bytes) => CampaignCellCounts.decode(bytes),
};
const TEXTS: PackedTable<CampaignTextCounts> = {
  name: 'campaign_texts',
  key: [
    ['campaign', 'bigint'],
    ['shard', 'smallint'],
  ],
  decode: (bytes) => CampaignTextCounts.decode(bytes),
};

const COUNTS = byteStrings<Buffer>('counts', (bytes) => bytes);

/** The counts by campaign. Called within the transaction that holds the company's lock. */
@Injectable()
export class CampaignCountRepository {
  /** Adds the changes. What counts nothing any more has no row. */
  async add(scope: TenantScope, client: Client, deltas: CampaignDeltas): Promise<void> {
    const { campaigns } = deltas;
    if (campaigns.length === 0) return;
    await addCampaigns(scope, client, campaigns);
    await addPacked(scope, client, DAYS, deltas.days);
    await addPacked(scope, client, CELLS, deltas.cells);
    await addPacked(scope, client, TEXTS, deltas.texts);
  }
}

async function addCampaigns(
  { companyId }: TenantScope,
  client: Client,
  campaigns: readonly CampaignDelta[],
): Promise<void> {
  const keys = campaigns.map(({ campaign }) => campaign);
  await client.query({
    name: 'add-campaigns',
    text: `INSERT INTO campaigns AS known (company_id, campaign, campaign_id, touches)
      SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::integer[])
      ON CONFLICT (company_id, campaign) DO UPDATE SET touches = known.touches + excluded.touches,
        revision = excluded.revision`,
    values: [
      companyId,
      keys,
      campaigns.map(({ campaignId }) => campaignId),
      campaigns.map(({ touches }) => touches),
    ],
  });
  const shrunk = campaigns.filter(({ touches }) => touches < 0);
  if (shrunk.length === 0) return;
  await client.query(
    `DELETE FROM campaigns WHERE company_id = (SELECT $1::uuid) AND campaign = ANY ($2::bigint[]) AND touches <= 0`,
    [companyId, shrunk.map(({ campaign }) => campaign)],
  );
}

async function addPacked<Counts extends PackedCounts<Counts>>(
  scope: TenantScope,
  client: Client,
  table: PackedTable<Counts>,
  deltas: readonly PackedDelta<Counts>[],
): Promise<void> {
  const stored = await readPacked(scope, client, table, deltas);
  const kept: PackedDelta<Buffer>[] = [];
  const gone: PackedDelta<unknown>[] = [];
  for (const [place, { key, counts }] of deltas.entries()) {
    const bytes = stored.get(place);
    const sum = bytes === undefined ? counts : table.decode(bytes);
    if (bytes !== undefined) sum.merge(counts);
    const encoded = sum.encode();
    if (encoded !== null) kept.push({ key, counts: encoded });
    else if (bytes !== undefined) gone.push({ key, counts });
  }
  const [[first, firstType], [second, secondType]] = table.key;
  if (kept.length > 0) {
    await client.query({
      name: `add-${table.name}`,
      text: `INSERT INTO ${table.name} (company_id, ${first}, ${second}, counts)
        SELECT $1, * FROM unnest($2::${firstType}[], $3::${secondType}[], $4::bytea[])
        ON CONFLICT (company_id, ${first}, ${second}) DO UPDATE SET counts = excluded.counts`,
      values: [scope.companyId, ...keysOf(kept), COUNTS.encode(kept.map(({ counts }) => counts))],
    });
  }
  if (gone.length > 0) {
    await client.query(
      `DELETE FROM ${table.name} AS known USING unnest($2::${firstType}[], $3::${secondType}[]) AS gone (a, b)
       WHERE known.company_id = $1 AND known.${first} = gone.a AND known.${second} = gone.b`,
      [scope.companyId, ...keysOf(gone)],
    );
  }
}

/** What stands for each of the given keys, by their place. */
async function readPacked(
  { companyId }: TenantScope,
  client: Client,
  { name, key: [[first, firstType], [second, secondType]] }: Pick<PackedTable<never>, 'name' | 'key'>,
  deltas: readonly PackedDelta<unknown>[],
): Promise<Map<number, Buffer>> {
  const { rows } = await client.query<{ place: number; counts: Buffer }>(
    `SELECT place::integer - 1 AS place, counts
     FROM unnest($2::${firstType}[], $3::${secondType}[]) WITH ORDINALITY AS wanted (a, b, place)
     CROSS JOIN LATERAL (
       SELECT counts FROM ${name} WHERE company_id = (SELECT $1::uuid) AND ${first} = a AND ${second} = b OFFSET 0
     ) AS found`,
    [companyId, ...keysOf(deltas)],
  );
  return new Map(rows.map(({ place, counts }) => [place, counts]));
}

function keysOf(deltas: readonly PackedDelta<unknown>[]): unknown[][] {
  return [deltas.map(({ key }) => key[0]), deltas.map(({ key }) => key[1])];
}
