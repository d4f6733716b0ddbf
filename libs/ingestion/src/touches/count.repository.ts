import { Injectable } from '@nestjs/common';
import {
  CampaignCellCounts,
  CampaignDayCounts,
  CampaignOutcomeCounts,
  CampaignTextCounts,
} from '@outcomes/persistence';
import { together, type TenantTransaction } from '@outcomes/tenancy';
import { byteStrings } from '../storage/binary-column';
import type { CampaignDeltas, PackedDelta } from './campaign-deltas';
import type { CohortDeltas } from './cohort-deltas';
import * as cohorts from './cohort-sql';

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
    name: 'campaign_outcomes',
    key: [
      ['campaign', 'bigint'],
      ['fortnight', 'integer'],
    ],
    decode: (bytes) => CampaignOutcomeCounts.decode(bytes),
    deltas: ({ outcomes }) => outcomes,
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
  {
    name: 'campaign_subjects',
    key: [
      ['campaign', 'bigint'],
      ['shard', 'smallint'],
    ],
    decode: (bytes) => CampaignTextCounts.decode(bytes),
    deltas: ({ subjects }) => subjects,
  },
];

/** The keys of the packed tables follow those of the strata. */
const READ_PACKED_FROM = 2 + cohorts.COHORT_KEY_PARAMETERS;

/** What stands for the keys of the strata and of all packed tables; their parameters follow one another. */
const READ = [
  `SELECT ${TABLES.length} AS "table", place, NULL::bytea AS counts, stratum
   FROM (${cohorts.selectStrata(2)}) AS strata`,
  ...TABLES.map(({ name, key: [[first, firstType], [second, secondType]] }, index) => {
    const from = READ_PACKED_FROM + 2 * index;
    return `
    SELECT ${index} AS "table", place::integer - 1 AS place, counts, NULL AS stratum
    FROM unnest($${from}::${firstType}[], $${from + 1}::${secondType}[]) WITH ORDINALITY AS wanted (a, b, place)
    CROSS JOIN LATERAL (
      SELECT counts FROM ${name} WHERE company_id = (SELECT $1::uuid) AND ${first} = a AND ${second} = b OFFSET 0
    ) AS found`;
  }),
].join(' UNION ALL ');

const CAMPAIGNS_FROM = 2 + cohorts.COHORT_PARAMETERS;
const PACKED_FROM = CAMPAIGNS_FROM + 3;
const CHANNELS_FROM = PACKED_FROM + 3 * TABLES.length;

/** Strata, then campaigns, then the rows of each packed table, then the first days that changed, per channel. */
const WRITE = `WITH channels_noted AS (
    INSERT INTO channel_states AS known (company_id, channel, recount_from, rescore_from)
    SELECT $1, * FROM unnest($${CHANNELS_FROM}::smallint[], $${CHANNELS_FROM + 1}::date[],
      $${CHANNELS_FROM + 2}::date[])
    ON CONFLICT (company_id, channel) DO UPDATE SET recount_from = least(known.recount_from, excluded.recount_from),
      rescore_from = least(known.rescore_from, excluded.rescore_from), revision = excluded.revision),
  ${TABLES.map(({ name, key: [[first, firstType], [second, secondType]] }, index) => {
    const from = PACKED_FROM + 3 * index;
    return `
    ${name}_written AS (
      INSERT INTO ${name} (company_id, ${first}, ${second}, counts)
      SELECT $1, * FROM unnest($${from}::${firstType}[], $${from + 1}::${secondType}[], $${from + 2}::bytea[])
      ON CONFLICT (company_id, ${first}, ${second}) DO UPDATE SET counts = excluded.counts)`;
  }).join(', ')},
  campaigns_written AS (
    INSERT INTO campaigns AS known (company_id, campaign, campaign_id, touches)
    SELECT $1, * FROM unnest($${CAMPAIGNS_FROM}::bigint[], $${CAMPAIGNS_FROM + 1}::text[],
      $${CAMPAIGNS_FROM + 2}::integer[])
    ON CONFLICT (company_id, campaign) DO UPDATE SET touches = known.touches + excluded.touches,
      revision = excluded.revision)
  ${cohorts.upsertStrata(2)}`;

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

/** What is stored of a key: of a stratum one text, of a packed row its bytes. */
interface StoredRow {
  /** index into TABLES, or one more for a stratum */
  readonly table: number;
  readonly place: number;
  readonly counts: Buffer | null;
  readonly stratum: string | null;
}

/** Statements that are under way; a promise within one, so that it can be handed on without being waited for. */
export interface Sent {
  readonly written: Promise<unknown>;
}

const NOTHING_SENT: Sent = { written: Promise.resolve() };

/** The sufficient statistics. Called within the transaction that holds the company's lock. */
@Injectable()
export class CountRepository {
  /**
   * Adds the changes, after the touches themselves were written: by one statement that reads and those that write. What
   * counts nothing any more has no row.
   * @param scale - of the tables, see CompanyOfEvents
   * @returns once everything is sent; what it resolves to has to be waited for before the transaction ends, or with its end
   * @throws NegativeCountError where more would be taken away than there is
   */
  async add(
    { client, companyId }: TenantTransaction,
    { deltas, campaigns: byCampaign }: { deltas: CohortDeltas; campaigns: CampaignDeltas },
    scale: string,
  ): Promise<Sent> {
    const strata = deltas.list();
    const { campaigns, channels } = byCampaign;
    const changes = TABLES.map((table) => table.deltas(byCampaign));
    if (strata.length === 0 && campaigns.length === 0 && changes.every((ofTable) => ofTable.length === 0))
      return NOTHING_SENT;
    // The plans of both have no choice to make, and making them takes longer than a small change.
    const { rows } = await client.query<StoredRow>({
      name: 'read-counts',
      text: READ,
      values: [companyId, ...cohorts.keysOf(strata), ...changes.flatMap(keysOf)],
    });
    const storedIn = (wanted: number) => rows.filter(({ table }) => table === wanted);
    const changed = TABLES.map((table, index) =>
      mergedRows(
        table,
        changes[index] ?? [],
        new Map(storedIn(index).map(({ place, counts }) => [place, counts as Buffer])),
      ),
    );
    const stored = new Map(
      storedIn(TABLES.length).map(({ place, stratum }) => [place, cohorts.storedStratum(stratum as string)]),
    );
    const kept = changed.map((ofTable) => ofTable.filter(isKept));
    const ofCompany = [companyId];
    const sent: Promise<unknown>[] = [
      client.query({
        name: 'write-counts',
        text: WRITE,
        values: [
          ...ofCompany,
          ...cohorts.strataColumns(strata, stored),
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
      }),
    ];
    // The company's lock is held: what will be empty is known before it is.
    const { empty, lostNewest } = cohorts.leftBehind(strata, stored);
    if (empty.length > 0)
      sent.push(
        client.query(cohorts.DELETE_EMPTY_STRATA, [...ofCompany, ...cohorts.leftBehindColumns(empty)]),
      );
    // Only where the newest outcome itself has left must the next one be looked for.
    if (lostNewest.length > 0)
      sent.push(
        client.query({
          name: `find-last-outcome ${scale}`,
          text: cohorts.FIND_LAST_OUTCOME,
          values: [...ofCompany, ...cohorts.leftBehindColumns(lostNewest)],
        }),
      );
    const gone = changed.map((ofTable) => ofTable.filter(({ counts }) => counts === null));
    // Whatever else may be empty, a campaign that is has lost the last of its rows.
    if (gone.some((ofTable) => ofTable.length > 0)) {
      const shrunk = campaigns.filter(({ touches }) => touches < 0).map(({ campaign }) => campaign);
      sent.push(client.query(DELETE, [...ofCompany, shrunk, ...gone.flatMap(keysOf)]));
    }
    return { written: together(...sent) };
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
