import { Injectable } from '@nestjs/common';
import { CampaignCellCounts, CampaignDayCounts, CampaignTextCounts } from '@outcomes/persistence';
import type { TenantScope, TenantTransaction } from '@outcomes/tenancy';
import { byteStrings } from '../storage/binary-column';
import type { CampaignDeltas, PackedDelta } from './campaign-deltas';

type Client = TenantTransaction['client'];

/** Counts that are kept packed: one row per key, read and written as a whole. */
interface PackedCounts {
  merge(other: never): void;
  encode(): Buffer | null;
}

/** A table of packed counts: the two columns of its key beside the company, and what a row holds. */
interface PackedTable {
  readonly name: string;
  readonly key: readonly [readonly [name: string, type: string], readonly [name: string, type: string]];
  readonly decode: (bytes: Buffer) => PackedCounts;
  readonly deltas: (deltas: CampaignDeltas) => readonly PackedDelta<PackedCounts>[];
}

const TABLES: readonly PackedTable[] = [
  {
    name: 'campaign_days',
    key: [
      ['channel', 'smallint'],
      ['sent_day', 'date'],
    ],
    decode: (bytes) => CampaignDayCounts.decode(bytes),
    deltas: ({ days }) => days,
  },
  {
    name: 'campaign_cells',
    key: [
      ['campaign', 'bigint'],
      ['fortnight', 'integer'],
    ],
    decode: (bytes) => CampaignCellCounts.decode(bytes),
    deltas: ({ cells }) => cells,
  },
  {
    name: 'campaign_texts',
    key: [
      ['campaign', 'bigint'],
      ['shard', 'smallint'],
    ],
    decode: (bytes) => CampaignTextCounts.decode(bytes),
    deltas: ({ texts }) => texts,
  },
];

/** What stands for the keys of all tables; their parameters follow one another behind the company. */
const READ = TABLES.map(
  ({ name, key: [[first, firstType], [second, secondType]] }, index) => `
    SELECT ${index} AS "table", place::integer - 1 AS place, counts
    FROM unnest($${2 + 2 * index}::${firstType}[], $${3 + 2 * index}::${secondType}[])
      WITH ORDINALITY AS wanted (a, b, place)
    CROSS JOIN LATERAL (
      SELECT counts FROM ${name} WHERE company_id = (SELECT $1::uuid) AND ${first} = a AND ${second} = b OFFSET 0
    ) AS found`,
).join(' UNION ALL ');

/** Behind the rows of all tables: the first days that changed, per channel. */
const CHANNELS_FROM = 5 + 3 * TABLES.length;

/** Campaigns ($2 to $4), then the rows of each table, then the channels. */
const WRITE = `WITH channels_noted AS (
    INSERT INTO channel_states AS known (company_id, channel, recount_from, rescore_from)
    SELECT $1, * FROM unnest($${CHANNELS_FROM}::smallint[], $${CHANNELS_FROM + 1}::date[],
      $${CHANNELS_FROM + 2}::date[])
    ON CONFLICT (company_id, channel) DO UPDATE SET recount_from = least(known.recount_from, excluded.recount_from),
      rescore_from = least(known.rescore_from, excluded.rescore_from), revision = excluded.revision),
  ${TABLES.map(
    ({ name, key: [[first, firstType], [second, secondType]] }, index) => `
    ${name}_written AS (
      INSERT INTO ${name} (company_id, ${first}, ${second}, counts)
      SELECT $1, * FROM unnest($${5 + 3 * index}::${firstType}[], $${6 + 3 * index}::${secondType}[],
        $${7 + 3 * index}::bytea[])
      ON CONFLICT (company_id, ${first}, ${second}) DO UPDATE SET counts = excluded.counts)`,
  ).join(', ')}
  INSERT INTO campaigns AS known (company_id, campaign, campaign_id, touches)
  SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::integer[])
  ON CONFLICT (company_id, campaign) DO UPDATE SET touches = known.touches + excluded.touches,
    revision = excluded.revision`;

/** Rows that count nothing any more: $2 campaigns that may be empty, then the keys of each table. */
const DELETE = `WITH ${TABLES.map(
  ({ name, key: [[first, firstType], [second, secondType]] }, index) => `
    ${name}_deleted AS (
      DELETE FROM ${name} AS known
      USING unnest($${3 + 2 * index}::${firstType}[], $${4 + 2 * index}::${secondType}[]) AS gone (a, b)
      WHERE known.company_id = (SELECT $1::uuid) AND known.${first} = gone.a AND known.${second} = gone.b)`,
).join(', ')}
  DELETE FROM campaigns WHERE company_id = (SELECT $1::uuid) AND campaign = ANY ($2::bigint[]) AND touches <= 0`;

const COUNTS = byteStrings<Buffer>('counts', (bytes) => bytes);

/** A row after a change. */
interface ChangedRow {
  readonly key: PackedDelta<unknown>['key'];
  /** null where it counts nothing any more */
  readonly counts: Buffer | null;
}

/** The counts by campaign. Called within the transaction that holds the company's lock. */
@Injectable()
export class CampaignCountRepository {
  /**
   * Adds the changes, by one statement that reads and one that writes. What counts nothing any more has no row.
   * @throws NegativeCountError where more would be taken away than there is
   */
  async add(scope: TenantScope, client: Client, deltas: CampaignDeltas): Promise<void> {
    const { campaigns, channels } = deltas;
    if (campaigns.length === 0) return;
    const changes = TABLES.map((table) => table.deltas(deltas));
    const { rows } = await client.query<{ table: number; place: number; counts: Buffer }>({
      name: 'read-campaign-counts',
      text: READ,
      values: [scope.companyId, ...changes.flatMap(keysOf)],
    });
    const changed = changes.map((ofTable, index) =>
      mergedRows(
        TABLES[index] as PackedTable,
        ofTable,
        new Map(rows.flatMap(({ table, place, counts }) => (table === index ? [[place, counts]] : []))),
      ),
    );
    const kept = changed.map((ofTable) => ofTable.filter(isKept));
    await client.query({
      // Its plan has no choice to make, and making it takes longer than a small change.
      name: 'add-campaign-counts',
      text: WRITE,
      values: [
        scope.companyId,
        campaigns.map(({ campaign }) => campaign),
        campaigns.map(({ campaignId }) => campaignId),
        campaigns.map(({ touches }) => touches),
        ...kept.flatMap((ofTable) => [
          ...keysOf(ofTable),
          COUNTS.encode(ofTable.map(({ counts }) => counts)),
        ]),
        channels.map(({ channel }) => channel),
        channels.map(({ recountFrom }) => recountFrom),
        channels.map(({ rescoreFrom }) => rescoreFrom),
      ],
    });
    const shrunk = campaigns.filter(({ touches }) => touches < 0).map(({ campaign }) => campaign);
    const gone = changed.map((ofTable) => ofTable.filter(({ counts }) => counts === null));
    // Whatever else may be empty, a campaign that is has lost the last of its rows.
    if (gone.every((ofTable) => ofTable.length === 0)) return;
    await client.query(DELETE, [scope.companyId, shrunk, ...gone.flatMap(keysOf)]);
  }
}

function mergedRows(
  { decode }: PackedTable,
  deltas: readonly PackedDelta<PackedCounts>[],
  stored: ReadonlyMap<number, Buffer>,
): ChangedRow[] {
  return deltas.map(({ key, counts }, place) => {
    const bytes = stored.get(place);
    if (bytes === undefined) return { key, counts: counts.encode() };
    const sum = decode(bytes);
    sum.merge(counts as never);
    return { key, counts: sum.encode() };
  });
}

function isKept(row: ChangedRow): row is ChangedRow & { readonly counts: Buffer } {
  return row.counts !== null;
}

function keysOf(rows: readonly { readonly key: PackedDelta<unknown>['key'] }[]): unknown[][] {
  return [rows.map(({ key }) => key[0]), rows.map(({ key }) => key[1])];
}
