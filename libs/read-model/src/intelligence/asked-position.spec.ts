import { POSITIONS } from '@outcomes/contracts';
import { askedPosition } from './asked-position';

describe('a position that is asked for', () => {
  it.each([
    ['VP', 'vp'],
    ['Head of Sales', 'director'],
    ['director', 'director'],
    ['Chief Executive Officer', 'c_suite'],
    ['C-Suite', 'c_suite'],
    ['individual contributor', 'individual_contributor'],
    [' unknown ', 'unknown'],
  ])('%s is %s', (asked, bucket) => {
    expect(askedPosition(asked)).toBe(bucket);
  });

  it.each(POSITIONS)('%s is itself', (position) => {
    expect(askedPosition(position)).toBe(position);
  });

  it('is none where the words say nothing', () => {
    expect(askedPosition('blue')).toBeUndefined();
  });
});
