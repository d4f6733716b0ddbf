import { randomUUID } from 'node:crypto';
import type { AnalysisJob, QueueProducer } from '@outcomes/queues';
import { ReanalysisRequests } from './reanalysis-requests.service';

describe('requests for a re-analysis', () => {
  let jobs: AnalysisJob[];
  let requests: ReanalysisRequests;

  beforeEach(() => {
    jest.useFakeTimers();
    jobs = [];
    const queue = {
      requestAnalysis: (job: AnalysisJob) => {
        jobs.push(job);
        return Promise.resolve(true);
      },
    };
    requests = new ReanalysisRequests(queue as unknown as QueueProducer);
  });
  afterEach(() => jest.useRealTimers());

  it('go out at once, and a burst of them makes one more', () => {
    for (let i = 0; i < 100; i += 1) requests.request('a', randomUUID());
    expect(jobs).toHaveLength(1);
    jest.advanceTimersByTime(3_000);
    expect(jobs).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(jobs).toHaveLength(2);
    requests.request('a', randomUUID());
    expect(jobs).toHaveLength(3);
  });

  it('have keys of their own, so that none joins a run that is under way', () => {
    requests.request('a', randomUUID());
    requests.request('b', randomUUID());
    jest.advanceTimersByTime(3_000);
    requests.request('a', randomUUID());
    expect(new Set(jobs.map(({ runKey }) => runKey)).size).toBe(3);
    expect(jobs.map(({ companyId }) => companyId)).toEqual(['a', 'b', 'a']);
  });

  it('bear the key of the newest request, so that the run fulfils it', () => {
    const keys = [1, 2, 3].map(() => `erasure-${randomUUID()}`);
    for (const key of keys) requests.request('a', key);
    jest.advanceTimersByTime(3_000);
    expect(jobs.map(({ runKey }) => runKey)).toEqual([keys[0], keys[2]]);
  });

  it('are not lost when the service stops', async () => {
    requests.request('a', randomUUID());
    requests.request('a', randomUUID());
    await requests.onApplicationShutdown();
    expect(jobs).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(jobs).toHaveLength(2);
  });
});
