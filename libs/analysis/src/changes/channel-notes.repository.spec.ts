import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '@outcomes/tenancy';
import { isoDay } from '../cohorts/days';
import { NEW_CHANNEL, type ChannelNotes, type ChannelState, type KeptChange } from './channel-history';
import { MEMORY_MAKE } from './channel-history.repository';
import { keepChannels } from './channel-notes.repository';

const [EMAIL, LINKEDIN] = [0, 1];
const COMPANY = randomUUID();
const FOUND_AT = new Date('2026-06-01T02:00:00Z');
const PUBLISHED_AT = new Date('2026-06-01T02:05:00Z');
const READ: ChannelState = { ...NEW_CHANNEL, lookedThrough: 20_500, revision: 'as read', writes: 4 };

const change = (since: number, parts: Partial<KeptChange> = {}): KeptChange => ({
  ...{ since, settledOn: since + 20, direction: 'down', ratio: 0.5, statistic: 12 },
  ...{ rateBefore: { rate: 0.1, low: 0.08, high: 0.12 }, rateAfter: { rate: 0.05, low: 0.04, high: 0.06 } },
  scope: { kind: 'campaign', value: 'spring' },
  ...parts,
});
const notesOf = (channel: number, parts: Partial<ChannelNotes> = {}): ChannelNotes => ({
  ...{ channel, generation: 1, lookedThrough: 20_501, memory: Float64Array.of(channel, 7) },
  ...{ recountedAt: null, read: READ, standing: [], appended: [] },
  ...parts,
});

/** What another run may have written since. */
interface Standing {
  readonly states?: readonly (Partial<ChannelState> & { readonly channel: number })[];
  readonly ledgers?: readonly (readonly [channel: number, change: KeptChange])[];
}

/** What is written where this stands, by statement. */
async function kept(found: readonly ChannelNotes[], { states = [], ledgers = [] }: Standing = {}) {
  const written: Record<string, readonly unknown[]> = {};
  let reads = 0;
  const query = async (statement: string, parameters: readonly unknown[]) => {
    const [, name = ''] = /^\s*(\w+ \w+(?: \w+)?)/.exec(statement) ?? [];
    if (name.startsWith('SELECT')) reads += 1;
    if (statement.includes('FOR UPDATE')) {
      expect(parameters).toEqual([COMPANY, found.map(({ channel }) => channel)]);
      return { rows: states.map((state) => ({ ...READ, ...state })) };
    }
    if (!name.startsWith('SELECT')) {
      written[name] = parameters;
      return { rows: [] };
    }
    return {
      rows: ledgers.map(([channel, { rateBefore, rateAfter, scope, ...row }]) => ({
        ...{ ...row, ...scope, channel, before: Object.values(rateBefore), after: Object.values(rateAfter) },
      })),
    };
  };
  const transaction = { companyId: COMPANY, client: { query } } as unknown as TenantTransaction;
  await keepChannels(transaction, found, (channel) => (channel === EMAIL ? 14 : 21), PUBLISHED_AT);
  const state = written['INSERT INTO channel_states'];
  const changes = written['INSERT INTO rate_changes'];
  return {
    reads,
    statements: Object.keys(written).length,
    lookedAt: written['UPDATE channel_states SET'],
    state,
    changes,
    /** Per channel: generation, when the ledger was made anew, and since when each change is that is appended. */
    told: ((state?.[2] ?? []) as number[]).map((channel, at) => [
      ...[channel, (state?.[3] as number[])[at], (state?.[6] as (string | null)[])[at]],
      ((changes?.[1] ?? []) as number[]).flatMap((own, row) =>
        own === channel ? [(changes?.[4] as string[])[row]] : [],
      ),
    ]),
  };
}

describe('what a run leaves of channels', () => {
  it('is written whole where nobody has written meanwhile', async () => {
    const [first, second] = [
      change(20_400),
      change(20_450, {
        ...{ direction: 'up', ratio: 2, statistic: 9.5, scope: { kind: 'channel', value: null } },
      }),
    ];
    const notes = [
      notesOf(EMAIL, { standing: [first], appended: [first] }),
      notesOf(LINKEDIN, { generation: 3, recountedAt: FOUND_AT, standing: [second], appended: [second] }),
    ];
    const { changes, lookedAt, reads, state } = await kept(notes, {
      states: [{ channel: EMAIL }, { channel: LINKEDIN }],
    });
    expect(changes).toEqual([
      ...[COMPANY, [EMAIL, LINKEDIN], [1, 3]],
      // Settled, since when, and told once the channel's own time has passed.
      [isoDay(20_420), isoDay(20_470)],
      [isoDay(20_400), isoDay(20_450)],
      [isoDay(20_434), isoDay(20_491)],
      ...[
        [false, true],
        [0.5, 2],
        [12, 9.5],
      ],
      ...[0.1, 0.08, 0.12, 0.05, 0.04, 0.06].map((rate) => [rate, rate]),
      ...[
        ['campaign', 'channel'],
        ['spring', null],
      ],
    ]);
    // The ledgers need not be read once more.
    expect(reads).toBe(1);
    expect(lookedAt).toEqual([COMPANY, [EMAIL, LINKEDIN], ['as read', 'as read']]);
    expect(state).toEqual([
      ...[COMPANY, MEMORY_MAKE, [EMAIL, LINKEDIN], [1, 3], [isoDay(20_501), isoDay(20_501)]],
      [Float64Array.of(0, 7), Float64Array.of(1, 7)].map(({ buffer }) => Buffer.from(buffer)),
      [null, FOUND_AT.toISOString()],
    ]);
  });

  it('is a memory without what lies beside it', async () => {
    const memory = Float64Array.of(1, 2, 3, 4).subarray(1, 3);
    const { state } = await kept([notesOf(EMAIL, { memory })]);
    expect(state?.[5]).toEqual([Buffer.from(Float64Array.of(2, 3).buffer)]);
  });

  it('is nothing where nothing was found', async () => {
    expect(await kept([])).toMatchObject({ reads: 0, statements: 0 });
  });

  it('is of a channel that nothing is stored of yet as it was found', async () => {
    const none = notesOf(EMAIL, { read: NEW_CHANNEL });
    expect(await kept([none])).toMatchObject({
      ...{ statements: 2, changes: undefined, lookedAt: [COMPANY, [EMAIL], ['']] },
      told: [[EMAIL, 1, null, []]],
    });
  });

  it.each([
    ['wrote a state without finding anything else', { writes: 5 }],
    ['made the ledger anew', { generation: 2 }],
    ['looked further', { lookedThrough: 20_501 }],
  ])('is not written where another run %s, and something was counted since', async (_what, parts) => {
    const notes = notesOf(EMAIL, { standing: [change(20_400)], appended: [change(20_400)] });
    const other = { channel: EMAIL, revision: 'another', ...parts };
    expect((await kept([notes], { states: [other] })).statements).toBe(0);
    // What was counted since is no matter to a run beside which nobody wrote.
    expect((await kept([notes], { states: [{ channel: EMAIL, revision: 'another' }] })).told).toEqual([
      [EMAIL, 1, null, [isoDay(20_400)]],
    ]);
  });

  it('goes on from the ledger that another run has written of the same counts', async () => {
    const [first, second] = [change(20_400), change(20_450)];
    const notes = notesOf(EMAIL, {
      ...{ generation: 2, recountedAt: FOUND_AT, standing: [first, second], appended: [first, second] },
    });
    const recountedAt = new Date('2026-06-01T02:03:00Z');
    const states = [{ channel: EMAIL, writes: 5, generation: 2, recountedAt }];
    const told = async (ledgers: Standing['ledgers'] = []) => (await kept([notes], { states, ledgers })).told;
    const at = recountedAt.toISOString();
    expect(await told([[EMAIL, first]])).toEqual([[EMAIL, 2, at, [isoDay(20_450)]]]);
    expect(
      await told([
        [EMAIL, first],
        [EMAIL, second],
      ]),
    ).toEqual([[EMAIL, 2, at, []]]);
    // The ledger of another channel is none of this one's.
    expect(await told([[LINKEDIN, change(20_300)]])).toEqual([
      [EMAIL, 2, at, [isoDay(20_400), isoDay(20_450)]],
    ]);
  });

  it.each([
    ['began on another day', { since: 20_401 }],
    ['settled on another day', { settledOn: 20_421 }],
    ['was of another size', { ratio: 0.6 }],
  ])('is a ledger of the next generation where the change that stands %s', async (_what, parts) => {
    const [own, other] = [change(20_400), change(20_400, parts)];
    const notes = notesOf(EMAIL, { standing: [own], appended: [] });
    const told = async (...ledger: readonly KeptChange[]) => {
      const states = [{ channel: EMAIL, writes: 5, generation: 6 }];
      const ledgers = ledger.map((row) => [EMAIL, row] as const);
      return (await kept([notes], { states, ledgers })).told;
    };
    const anew = [[EMAIL, 7, PUBLISHED_AT.toISOString(), [isoDay(20_400)]]];
    expect(await told(other)).toEqual(anew);
    expect(await told(own, other)).toEqual(anew);
  });

  it('is fitted channel by channel: one beside which nobody wrote stays as it was found', async () => {
    const anew = change(20_400);
    const notes = (channel: number) =>
      notesOf(channel, { generation: 2, recountedAt: FOUND_AT, standing: [anew], appended: [anew] });
    const ledgers = [EMAIL, LINKEDIN].map((channel) => [channel, change(20_390)] as const);
    const { told } = await kept([notes(EMAIL), notes(LINKEDIN)], {
      states: [{ channel: EMAIL }, { channel: LINKEDIN, writes: 5 }],
      ledgers,
    });
    expect(told).toEqual([
      [EMAIL, 2, FOUND_AT.toISOString(), [isoDay(20_400)]],
      [LINKEDIN, 2, PUBLISHED_AT.toISOString(), [isoDay(20_400)]],
    ]);
    // The first run of a channel has no state to fit to.
    const first = await kept([notesOf(EMAIL, { read: NEW_CHANNEL }), notes(LINKEDIN)], {
      ...{ states: [{ channel: LINKEDIN, writes: 5, revision: 'another' }], ledgers },
    });
    expect(first.told).toEqual([[EMAIL, 1, null, []]]);
  });
});
