import { LEVEL_COUNT, levelIndex } from '@outcomes/contracts';
import { plannedRows, tableOf, type PlannedRow } from '../../test/company-fixture';
import { CohortTable } from '../cohorts/cohort-table';
import { volumeDocument } from './volume-document';

const DAY = 20_500;
const direct = levelIndex('tone', 'direct');
const asks = levelIndex('subject_question', 'with');
const [anyRow] = plannedRows({ days: 1, sendsPerDay: 10 }) as [PlannedRow];

/** Messages of one channel and day, of which some are direct and some ask in the subject line. */
const sent = (day: number, channel: number, touches: number, isDirect: number, isAsking = 0): PlannedRow => {
  const levelTouches = Array.from({ length: LEVEL_COUNT }, () => 0);
  levelTouches[direct] = isDirect;
  levelTouches[asks] = isAsking;
  return { ...anyRow, day, channel, touches, replies: 0, levelTouches, lastOutcomeAt: null };
};
const volumesOf = (...rows: PlannedRow[]) => volumeDocument(tableOf(rows), 'now').channels;

describe('what a company sends in 30 days', () => {
  it('counts back from the newest send day, channel by channel', () => {
    const [email, linkedin] = volumesOf(
      ...[sent(DAY - 30, 0, 7_000, 0), sent(DAY - 29, 0, 100, 0), sent(DAY, 0, 50, 25, 10)],
      sent(DAY - 3, 1, 40, 40),
    );
    expect(email).toMatchObject({ channel: 'email', messages: 150 });
    expect(linkedin).toMatchObject({ channel: 'linkedin', messages: 40 });
    // Half of the newest messages are direct, and a fifth asks: so are 150.
    expect([email?.levels[direct], email?.levels[asks]]).toEqual([75, 30]);
    expect([linkedin?.levels[direct], linkedin?.levels[asks]]).toEqual([40, 0]);
  });

  it('takes the mix of its history for a channel that sent nothing on the newest days', () => {
    const [email] = volumesOf(
      ...[sent(DAY - 100, 0, 300, 30), sent(DAY - 25, 0, 100, 70)],
      sent(DAY, 1, 10, 0),
    );
    expect(email).toMatchObject({ channel: 'email', messages: 100 });
    expect(email?.levels[direct]).toBe(25);
    // The history of another channel is another mix.
    const [beside] = volumesOf(
      ...[sent(DAY - 100, 0, 300, 30), sent(DAY - 25, 0, 100, 70), sent(DAY - 25, 1, 400, 400)],
      sent(DAY, 1, 10, 0),
    );
    expect(beside?.levels[direct]).toBe(25);
  });

  it('leaves a channel out that sent nothing in that time, and a company that sent nothing at all', () => {
    expect(volumesOf(sent(DAY - 40, 0, 300, 30), sent(DAY, 1, 10, 0)).map(({ channel }) => channel)).toEqual([
      'linkedin',
    ]);
    expect(volumeDocument(new CohortTable(0), 'now')).toEqual({ data_as_of: 'now', channels: [] });
  });

  it('has as many messages of a dimension as messages, where all are known', () => {
    const empathetic = levelIndex('tone', 'empathetic');
    // Of 3 messages, of the newest days' one half each: 1.5 and 1.5.
    const newest = sent(DAY, 0, 2, 1);
    const both = { ...newest, levelTouches: Array.from(newest.levelTouches).with(empathetic, 1) };
    const [email] = volumesOf(sent(DAY - 20, 0, 1, 0), both);
    expect(email?.messages).toBe(3);
    expect((email?.levels[direct] ?? 0) + (email?.levels[empathetic] ?? 0)).toBe(3);
  });
});
