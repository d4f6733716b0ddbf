import { AppError } from '@outcomes/contracts';
import { databaseFailure, isReadOnlyFailure } from './database-failure';

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

  // SQLSTATE classes and codes as the manual of Postgres lists them, appendix A.
  it.each([
    ...['08000', '28P01', '40001', '53200', '55P03', '57P03', '58030', '25P03', '25P04', '25006'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH'],
  ])('that passes by itself is told by its code alone: %s', (code) => {
    expect(databaseFailure(failure('x', code))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each(['42P08', '22008', '22028', '22P03', '25P01', '55006', '55P02', '25001', 'EACCES'])(
    'that does not is not: %s',
    (code) => {
      // The text alone would pass for a lost connection.
      expect(databaseFailure(failure('timeout', code))).toMatchObject({ code: 'INTERNAL_ERROR' });
    },
  );

  it.each([
    'Connection terminated',
    'Query read timeout',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
    'the connection is closed',
    'Cannot use a pool after calling end on the pool',
    'Driver not Connected',
  ])('without a code is told by the text of the driver: %s', (message) => {
    expect(databaseFailure(new Error(message))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('without a code and with any other text is ours', () => {
    expect(databaseFailure(new Error('x'))).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(databaseFailure(new AggregateError([new Error('x')]))).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(isReadOnlyFailure('25006')).toBe(false);
  });

  it('of several addresses passes where one of them does', () => {
    const failures = [failure('x', '42601'), failure('x', 'ECONNREFUSED')];
    expect(databaseFailure(new AggregateError(failures))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
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
