import { channelDrift, driftOf, rateChange } from '../../test/planted-drift';
import { ServedFrame } from './served-frame';

const frame = {
  ...driftOf([channelDrift({ changes: [rateChange()] })]),
  analysed_at: '2026-02-01T02:00:00.000Z',
};
const sound = { hasEvents: true, lastRunFailed: false };
const said = (served: ServedFrame, now: string) =>
  JSON.parse(`{${served.at(new Date(now)).fields}}`) as Record<string, unknown>;

describe('what stands beside a document', () => {
  it('are the times of its run, and the verdict', () => {
    expect(said(new ServedFrame(frame, sound), '2026-02-01T06:00:00Z')).toEqual({
      analysed_at: '2026-02-01T02:00:00.000Z',
      data_as_of: '2026-02-01T00:00:00.000Z',
      newest_outcome_at: '2026-01-31T20:00:00.000Z',
      drift_state: 'rate',
      posteriors_trustworthy: true,
      recommended_action:
        'Look at all messages by email: what changed around 2026-01-05 (list, sender or copy).',
      summary:
        'Replies fell from 5.0 % to 2.4 % around 2026-01-05; arms rest on what came since. The posteriors may be acted upon.',
      alerts: ['drift_detected'],
    });
  });

  it('ages with the clock, forwards and back, and its ETag with what is said', () => {
    const served = new ServedFrame(frame, sound);
    let young = served.at(new Date('2026-02-01T06:00:00.000Z'));
    expect(served.at(new Date('2026-02-01T06:00:00.999Z'))).toBe(young);
    for (const other of ['2026-02-01T06:00:01.000Z', '2026-02-01T05:59:59.999Z']) {
      expect(served.at(new Date(other))).not.toBe(young);
      young = served.at(new Date('2026-02-01T06:00:00.000Z'));
    }
    expect(young.etag).toMatch(/^[\w-]{11}$/);
    const old = served.at(new Date('2026-03-15T06:00:00Z'));
    expect(old.etag).not.toBe(young.etag);
    expect(said(served, '2026-03-15T06:00:00Z')).toMatchObject({
      posteriors_trustworthy: false,
      alerts: ['very_stale_outcomes', 'very_stale_data', 'stale_analysis'],
    });
    expect(served.at(new Date('2026-02-01T06:00:00Z'))).toEqual(young);
    // The same findings a minute later are the same answer.
    expect(served.at(new Date('2026-02-01T06:01:00Z'))).toEqual(young);
  });

  it('is that nothing is known before the first run', () => {
    const saidOf = (hasEvents: boolean) =>
      said(new ServedFrame(undefined, { hasEvents, lastRunFailed: false }), '2026-02-01T06:00:00Z');
    expect(saidOf(false)).toMatchObject({
      ...{ analysed_at: null, data_as_of: null, newest_outcome_at: null },
      ...{ drift_state: 'insufficient_data', posteriors_trustworthy: false },
      alerts: ['drift_not_evaluated', 'no_data_ingested_yet'],
    });
    expect(saidOf(true)['alerts']).toEqual(['drift_not_evaluated', 'awaiting_first_daily_run']);
  });

  it('tells of a later run that failed', () => {
    const served = new ServedFrame(frame, { ...sound, lastRunFailed: true });
    expect(said(served, '2026-02-01T06:00:00Z')['alerts']).toEqual(['drift_detected', 'last_run_failed']);
  });
});
