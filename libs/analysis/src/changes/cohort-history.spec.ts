import { NO_CAMPAIGN } from '@outcomes/persistence';
import { FIRST_DAY, plannedRows, tableOf } from '../../test/company-fixture';
import { historyOfCohorts } from './cohort-history';

const EMAIL = 0;
const LINKEDIN = 1;
const rows = plannedRows({ days: 12, sendsPerDay: 40 }).map((row) => ({
  ...row,
  channel: row.day < FIRST_DAY + 3 ? EMAIL : row.position % 2 === 0 ? EMAIL : LINKEDIN,
}));
const table = tableOf(rows);

describe('the history of a channel that has no counts by campaign', () => {
  it('begins with its own first message, as that of a channel of which nothing is known', () => {
    expect(historyOfCohorts(table, EMAIL)).toMatchObject({ channel: EMAIL, firstDay: FIRST_DAY });
    expect(historyOfCohorts(table, LINKEDIN)).toMatchObject({
      ...{ channel: LINKEDIN, firstDay: FIRST_DAY + 3, ledger: [], isKept: false },
      state: { lookedThrough: null, memory: null },
    });
  });

  it('has the messages of the days that are asked for, both ends included, and no others', async () => {
    for (const [from, to] of [
      [FIRST_DAY, FIRST_DAY + 11],
      [FIRST_DAY + 4, FIRST_DAY + 6],
      [FIRST_DAY + 11, FIRST_DAY + 30],
    ] as const) {
      const { counts, campaigns } = await historyOfCohorts(table, LINKEDIN).days(from, to);
      const expected = rows.filter(({ channel, day }) => channel === LINKEDIN && day >= from && day <= to);
      expect(campaigns).toEqual([NO_CAMPAIGN]);
      expect(
        Array.from({ length: counts.size }, (_, at) =>
          [counts.day, counts.step, counts.position, counts.n, counts.y].map((column) => column[at]),
        ).sort(),
      ).toEqual(
        expected
          .map(({ day, step, position, touches, replies }) => [day, step, position, touches, replies])
          .sort(),
      );
    }
  });

  it('names no campaign', async () => {
    expect(await historyOfCohorts(table, EMAIL).campaignIdOf(NO_CAMPAIGN)).toBeNull();
  });
});
