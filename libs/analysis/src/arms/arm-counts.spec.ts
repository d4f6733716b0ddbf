import { DAY_MS } from '@outcomes/contracts';
import { FIRST_DAY, plannedRows, tableOf, type PlannedRow } from '../../test/company-fixture';
import { armSumsOf } from './arm-counts';

describe('what is told of an arm beside its posterior', () => {
  it('is summed over its rows, and arms without messages are left out', () => {
    const [anyRow] = plannedRows({ days: 1, sendsPerDay: 10 }) as [PlannedRow];
    const at = (day: number, channel: number, position: number, replies: number, answeredOn?: number) => ({
      ...{ ...anyRow, day: FIRST_DAY + day, channel, position, touches: 10, streamed: 4, replies },
      lastOutcomeAt: answeredOn === undefined ? null : new Date((FIRST_DAY + answeredOn) * DAY_MS),
    });
    const none = { ...at(0, 1, 5, 0), touches: 0, streamed: 0 };
    const arms = armSumsOf(
      tableOf([
        at(0, 0, 4, 3, 9),
        at(1, 0, 4, 1, 5),
        at(2, 0, 4, 0),
        at(20, 0, 4, 0),
        at(20, 1, 2, 1, 21),
        none,
      ]),
    );
    expect(arms).toEqual([
      {
        ...{ channel: 'email', position: 'vp', observations: 40, replies: 4, streamed: 16 },
        // What was sent on the day before the last has not matured.
        ...{ immature: 10, lastOutcomeAt: (FIRST_DAY + 9) * DAY_MS },
      },
      {
        ...{ channel: 'linkedin', position: 'founder', observations: 10, replies: 1, streamed: 4 },
        ...{ immature: 10, lastOutcomeAt: (FIRST_DAY + 21) * DAY_MS },
      },
    ]);
    expect(armSumsOf(tableOf([at(2, 0, 4, 0)]))).toMatchObject([{ lastOutcomeAt: Number.NaN }]);
  });
});
