import { banditOf } from '../../test/decision-fixture';
import { candidatesFor, decisionModel } from './decision-model';

describe('the candidates for a position', () => {
  const bandit = banditOf('2026-02-01T00:00:00.000Z');
  const unused = {
    channels: [
      { channel: 'email', alpha: 3, beta: 97 },
      { channel: 'linkedin', alpha: 40, beta: 160 },
    ],
    company: { alpha: 2, beta: 38 },
  } as const;
  const candidatesOf = (...parts: readonly Partial<typeof bandit>[]) =>
    candidatesFor(
      decisionModel(Object.assign({}, bandit, ...parts) as typeof bandit, [], []),
      'director',
      () => undefined,
    );

  it('start on a channel never used for it from what the channel tells of one more position', () => {
    expect(candidatesOf({ unused })).toEqual([
      { channel: 'email', alpha: 8, beta: 192, source: 'segment' },
      { channel: 'linkedin', alpha: 40, beta: 160, source: 'company' },
    ]);
  });

  it('start from the spread of all arms where the document of an earlier version knows no more', () => {
    expect(candidatesOf()[1]).toEqual({ channel: 'linkedin', alpha: 2, beta: 38, source: 'company' });
  });
});
