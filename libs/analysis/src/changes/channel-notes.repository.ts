import type { TenantTransaction } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import { MEMORY_MAKE, storedLedgers } from './channel-history.repository';
import { isContinuedBy, type ChannelNotes, type ChannelState, type KeptChange } from './channel-history';

/** Locked, so that nothing is noted between the look at a revision and what is written because of it. */
const STATES = `
  SELECT channel, generation, looked_through - date '1970-01-01' AS "lookedThrough", recounted_at AS "recountedAt",
    revision, writes
  FROM channel_states WHERE company_id = $1 AND channel = ANY ($2::smallint[]) ORDER BY channel FOR UPDATE`;

type StandingState = Pick<
  ChannelState,
  'generation' | 'lookedThrough' | 'recountedAt' | 'revision' | 'writes'
> & { readonly channel: number };

/** What changed since a state was read is still to be looked at: its revision is another one then. */
const LOOKED_AT = `
  UPDATE channel_states SET recount_from = NULL, rescore_from = NULL
  WHERE company_id = $1 AND channel = ANY ($2::smallint[]) AND revision::text = ANY ($3::text[])`;

const KEEP_STATES = `
  INSERT INTO channel_states AS known (company_id, channel, generation, looked_through, memory, make, recounted_at, writes)
  SELECT $1, channel, generation, looked_through, memory, $2, recounted_at, 1
  FROM unnest($3::smallint[], $4::integer[], $5::date[], $6::bytea[], $7::timestamptz[])
    AS given (channel, generation, looked_through, memory, recounted_at)
  ON CONFLICT (company_id, channel) DO UPDATE SET generation = excluded.generation,
    looked_through = excluded.looked_through, memory = excluded.memory, make = excluded.make,
    recounted_at = excluded.recounted_at, writes = known.writes + 1`;

const APPEND_CHANGES = `
  INSERT INTO rate_changes (company_id, channel, generation, settled_on, since, told_on, is_up, ratio, statistic,
    rate_before, rate_after, scope_kind, scope_value)
  SELECT $1, channel, generation, settled_on, since, told_on, is_up, ratio, statistic,
    ARRAY[before_rate, before_low, before_high], ARRAY[after_rate, after_low, after_high], scope_kind, scope_value
  FROM unnest($2::smallint[], $3::integer[], $4::date[], $5::date[], $6::date[], $7::boolean[], $8::float8[],
    $9::float8[], $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::float8[], $15::float8[],
    $16::text[], $17::text[])
    AS given (channel, generation, settled_on, since, told_on, is_up, ratio, statistic, before_rate, before_low,
      before_high, after_rate, after_low, after_high, scope_kind, scope_value)
  ON CONFLICT DO NOTHING`;

/**
 * Appends to the ledger, and keeps what the next run goes on from. What another run has written since these notes were
 * begun stands: they are fitted to it, or left out.
 * @param toldAfter - days from settling to being told, per channel
 * @param at - time of the publication
 */
export async function keepChannels(
  transaction: TenantTransaction,
  found: readonly ChannelNotes[],
  toldAfter: (channel: number) => number,
  at: Date,
): Promise<void> {
  const notes = await fittedToStanding(transaction, found, at);
  if (notes.length === 0) return;
  const { client, companyId } = transaction;
  const rows = notes.flatMap(({ channel, generation, appended }) =>
    appended.map((change) => ({ channel, generation, ...change })),
  );
  if (rows.length > 0) {
    await client.query(APPEND_CHANGES, [
      companyId,
      rows.map(({ channel }) => channel),
      rows.map(({ generation }) => generation),
      rows.map(({ settledOn }) => isoDay(settledOn)),
      rows.map(({ since }) => isoDay(since)),
      rows.map(({ channel, settledOn }) => isoDay(settledOn + toldAfter(channel))),
      rows.map(({ direction }) => direction === 'up'),
      rows.map(({ ratio }) => ratio),
      rows.map(({ statistic }) => statistic),
      ...(['rateBefore', 'rateAfter'] as const).flatMap((side) =>
        (['rate', 'low', 'high'] as const).map((part) => rows.map((row) => row[side][part])),
      ),
      rows.map(({ scope }) => scope.kind),
      rows.map(({ scope }) => scope.value),
    ]);
  }
  const channels = notes.map(({ channel }) => channel);
  await client.query(LOOKED_AT, [companyId, channels, notes.map(({ read }) => read.revision ?? '')]);
  await client.query(KEEP_STATES, [
    companyId,
    MEMORY_MAKE,
    channels,
    notes.map(({ generation }) => generation),
    notes.map(({ lookedThrough }) => isoDay(lookedThrough)),
    notes.map(({ memory }) => Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength)),
    notes.map(({ recountedAt }) => recountedAt?.toISOString() ?? null),
  ]);
}

async function fittedToStanding(
  transaction: TenantTransaction,
  notes: readonly ChannelNotes[],
  at: Date,
): Promise<readonly ChannelNotes[]> {
  if (notes.length === 0) return [];
  const { client, companyId } = transaction;
  const channels = notes.map(({ channel }) => channel);
  const { rows } = await client.query<StandingState>(STATES, [companyId, channels]);
  const states = new Map(rows.map((row) => [row.channel, row]));
  const isUntouched = ({ channel, read }: ChannelNotes) => {
    const state = states.get(channel);
    return (
      state === undefined ||
      (state.writes === read.writes &&
        state.generation === read.generation &&
        state.lookedThrough === read.lookedThrough)
    );
  };
  if (notes.every(isUntouched)) return notes;
  const ledgers = await storedLedgers(transaction);
  return notes.flatMap((note) =>
    isUntouched(note)
      ? note
      : fitted(note, states.get(note.channel) as StandingState, ledgers.get(note.channel), at),
  );
}

/** Notes of a run beside which another wrote a state: none where the other may have read what this one has not. */
function fitted(
  note: ChannelNotes,
  state: StandingState,
  ledger: readonly KeptChange[] = [],
  at: Date,
): ChannelNotes[] {
  // Something was counted after this run read. It is due to be analysed, and that run goes on from what stands.
  if (state.revision !== note.read.revision) return [];
  const { standing } = note;
  return isContinuedBy(ledger, standing)
    ? [
        {
          ...note,
          generation: state.generation,
          recountedAt: state.recountedAt,
          appended: standing.slice(ledger.length),
        },
      ]
    : [{ ...note, generation: state.generation + 1, recountedAt: at, appended: standing }];
}
