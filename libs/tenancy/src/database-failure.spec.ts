import { AppError } from '@outcomes/contracts';
import { databaseFailure } from './database-failure';

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });

describe('a failure of Postgres', () => {
  it.each([
    ['refused connection', failure('connect ECONNREFUSED', 'ECONNREFUSED')],
    ['every address refused', new AggregateError([failure('connect ECONNREFUSED', 'ECONNREFUSED')])],
    ['shutdown', failure('terminating connection due to administrator command', '57P01')],
    ['statement time-out', failure('canceling statement due to statement timeout', '57014')],
    ['too many connections', failure('sorry, too many clients already', '53300')],
    ['deadlock', failure('deadlock detected', '40P01')],
    ['a demoted primary', failure('cannot execute INSERT in a read-only transaction', '25006')],
    ['an idle transaction', failure('terminating connection due to idle-in-transaction timeout', '25P03')],
    ['lost connection', new Error('Connection terminated unexpectedly')],
    ['exhausted pool', new Error('timeout exceeded when trying to connect')],
    ['a driver error within', Object.assign(new Error('x'), { driverError: failure('x', '08006') })],
  ])('that passes (%s) is SERVICE_UNAVAILABLE with Retry-After', (_what, cause) => {
    expect(databaseFailure(cause)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      headers: { 'Retry-After': '2' },
      cause,
    });
  });

  it.each([
    ['a broken rule', failure('new row violates row-level security policy', '42501')],
    ['a statement after a failed one', failure('current transaction is aborted', '25P02')],
    ['a broken statement', failure('syntax error', '42601')],
    ['a duplicate', failure('duplicate key value violates unique constraint "x" (42)=(secret)', '23505')],
    ['no error at all', 'text'],
  ])('that is ours (%s) is INTERNAL_ERROR, and quotes nothing', (_what, cause) => {
    const error = databaseFailure(cause);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    expect(error.message).not.toContain('secret');
  });

  it('leaves a catalogued error alone', () => {
    const error = new AppError('EVENT_NOT_FOUND');
    expect(databaseFailure(error)).toBe(error);
  });
});
