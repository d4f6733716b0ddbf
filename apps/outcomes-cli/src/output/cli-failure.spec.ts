import { AppError } from '@outcomes/contracts';
import { failureLine } from './cli-failure';

describe('the line for a failure', () => {
  it('tells what kind of failure is behind one of ours, and none of its words', () => {
    const cause = Object.assign(new TypeError('the row of ada@example.com'), { code: '42501' });
    expect(failureLine(new AppError('INTERNAL_ERROR', {}, { cause }))).toMatch(
      /^[^@]+ \(INTERNAL_ERROR: TypeError 42501\)$/,
    );
  });
});
