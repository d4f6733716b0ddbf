import { CampaignDayCounts, NO_CAMPAIGN } from '@outcomes/persistence';
import fc from 'fast-check';
import { MAX_CAMPAIGNS_A_DAY } from './campaign-bundles';
import { ChannelColumns } from './channel-columns';

const row = fc.record({
  campaign: fc.constantFrom(NO_CAMPAIGN, 3, 2 ** 40, 7, 2 ** 47 + 5),
  step: fc.nat(2),
  position: fc.nat(10),
  touches: fc.integer({ min: 1, max: 300 }),
});
const days = fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 6 });

function encoded(rows: readonly { campaign: number; step: number; position: number; touches: number }[]) {
  const counts = new CampaignDayCounts();
  for (const { campaign, step, position, touches } of rows)
    counts.add(campaign, step, position, touches, Math.floor(touches / 3));
  return counts.encode() ?? Buffer.alloc(0);
}

/** Rows by what they count, whatever order they stand in. */
function rowsOf(columns: ChannelColumns): string[] {
  const { counts, campaigns } = columns.finish();
  const { day, position, step, campaign, n, y } = counts;
  return Array.from({ length: counts.size }, (_, at) =>
    [day[at], campaigns[campaign[at] ?? 0], position[at], step[at], n[at], y[at]].join(' '),
  );
}

describe('the columns of a channel', () => {
  it('hold the same of stored days as of their rows', () => {
    fc.assert(
      fc.property(days, (history) => {
        const [stored, byRow] = [new ChannelColumns(), new ChannelColumns()];
        history.forEach((rows, day) => {
          stored.pushEncoded(day, encoded(rows));
          byRow.pushDay(day, [...CampaignDayCounts.decode(encoded(rows)).rows()]);
        });
        expect(rowsOf(stored).sort()).toEqual(rowsOf(byRow).sort());
        expect(stored.finish().campaigns).toEqual(byRow.finish().campaigns);
      }),
    );
  });

  it('hold nothing of what was in them when they are filled anew', () => {
    fc.assert(
      fc.property(days, days, (before, history) => {
        const stored = history.map((rows, day) => ({ day, counts: encoded(rows) }));
        const used = new ChannelColumns(1).refill(
          before.map((rows, day) => ({ day: day + 3, counts: encoded(rows) })),
        );
        used.finish();
        const [again, fresh] = [used.refill(stored), new ChannelColumns().refill(stored)];
        expect(rowsOf(again)).toEqual(rowsOf(fresh));
        expect(again.finish().campaigns).toEqual(fresh.finish().campaigns);
      }),
    );
  });

  it('have messages that name no campaign first, whether there are any or not', () => {
    const day = { day: 3, counts: encoded([{ campaign: 7, step: 1, position: 2, touches: 40 }]) };
    const columns = new ChannelColumns();
    expect(columns.finish().campaigns).toEqual([NO_CAMPAIGN]);
    for (const filled of [columns.refill([day]), columns.refill([day])]) {
      const { campaigns, counts } = filled.finish();
      expect(campaigns).toEqual([NO_CAMPAIGN, 7]);
      expect([...counts.campaign]).toEqual([1]);
    }
  });

  it('grow as they fill, and lose nothing of what is in them', () => {
    const rows = Array.from({ length: 200 }, (_, i) => ({
      ...{ campaign: 1 + i, step: i % 3, position: i % 11, touches: 1 + i, replies: Math.floor((1 + i) / 3) },
    }));
    const [stored, byRow, ample] = [1, 1, 4_096].map((room) => new ChannelColumns(room)) as [
      ...[ChannelColumns, ChannelColumns, ChannelColumns],
    ];
    for (let day = 0; day < 12; day += 1) {
      stored.pushEncoded(day, encoded(rows));
      byRow.pushDay(day, rows);
      ample.pushDay(day, rows);
    }
    expect(byRow.finish().counts.size).toBe(12 * rows.length);
    expect(rowsOf(byRow)).toEqual(rowsOf(ample));
    expect(rowsOf(stored).sort()).toEqual(rowsOf(ample).sort());
    // Twice as much each time.
    expect(byRow.finish().counts.n).toHaveLength(4_096);
  });

  it('are filled anew in the room that there is, where it is enough', () => {
    const storedDay = (day: number, campaigns: number, touches: number) => ({
      day,
      counts: encoded(
        Array.from({ length: campaigns }, (_, i) => ({ campaign: 1 + i, step: 1, position: 2, touches })),
      ),
    });
    const columns = new ChannelColumns();
    const { n } = columns.refill([storedDay(3, 1, 40)]).finish().counts;
    // Mutation: every part of a history that is looked through takes new room.
    expect(columns.refill([storedDay(3, 2, 50)]).finish().counts.n).toBe(n);
    expect([...n.subarray(0, 2)]).toEqual([50, 50]);
    const many = Array.from({ length: 8 }, (_, day) => storedDay(day, 200, 60));
    const { counts } = columns.refill(many).finish();
    expect([counts.size, counts.n.subarray(0, counts.size).every((sends) => sends === 60)]).toEqual([
      1_600,
      true,
    ]);
    expect([...new Set(counts.day.subarray(0, counts.size))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const bytes = many.reduce((sum, day) => sum + day.counts.length, 0);
    expect(counts.n).toHaveLength(Math.ceil(bytes / 3));
    expect(columns.refill(many).finish().counts.n).toBe(counts.n);
  });

  it('stand in the order in which looks read them: by day, campaign, position and step', () => {
    fc.assert(
      fc.property(days, (history) => {
        const columns = new ChannelColumns();
        history.forEach((rows, day) => columns.pushEncoded(day, encoded(rows)));
        const { day, campaign, position, step, size } = columns.finish().counts;
        const place = (at: number) =>
          [day, campaign, position, step].reduce((sum, column) => sum * 64 + (column[at] ?? 0), 0);
        for (let at = 1; at < size; at += 1) expect(place(at)).toBeGreaterThan(place(at - 1));
      }),
    );
  });

  it('count the smallest campaigns of a stored day together, where there are very many', () => {
    const rows = Array.from({ length: MAX_CAMPAIGNS_A_DAY + 20 }, (_, i) => ({
      ...{ campaign: 1_000 + i, step: i % 3, position: i % 11, touches: 1 + (i % 40) },
    }));
    const columns = new ChannelColumns();
    columns.pushEncoded(5, encoded(rows));
    const { counts, merged } = columns.finish();
    expect(merged.size).toBe(20);
    expect(counts.n.reduce((sum, n) => sum + n, 0)).toBe(rows.reduce((sum, { touches }) => sum + touches, 0));
  });
});
