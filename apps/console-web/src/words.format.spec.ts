import type { WorkflowDecision } from '@outcomes/contracts';
import { cameOf } from './words.format';

describe('what came of a decision', () => {
  const came = (of: Pick<WorkflowDecision, 'outcome' | 'followed' | 'settled'>) =>
    cameOf(of as WorkflowDecision);

  it('is open until its message has settled, and no reply then', () => {
    const silent = { outcome: 'no_response', followed: true } as const;
    expect(came({ ...silent, settled: false })).toBe('open: may still be answered');
    expect(came({ ...silent, settled: true })).toBe('no reply');
    expect(came({ ...silent, outcome: null, settled: false })).toBe('open: may still be answered');
  });

  it('is what was told, however young the message', () => {
    expect(came({ outcome: 'responded', followed: true, settled: false })).toBe('a reply');
    expect(came({ outcome: 'unsubscribed', followed: false, settled: true })).toBe(
      'an opt-out; another message than advised',
    );
    expect(came({ outcome: null, followed: null, settled: null })).toBe('no message yet');
  });
});
