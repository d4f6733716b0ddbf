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
    for (let i = 0; i < 100; i += 1) requests.request('a');
    expect(jobs).toHaveLength(1);
    jest.advanceTimersByTime(3_000);
    expect(jobs).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(jobs).toHaveLength(2);
    requests.request('a');
    expect(jobs).toHaveLength(3);
  });

  it('have keys of their own, so that none joins a run that is under way', () => {
    requests.request('a');
    requests.request('b');
    jest.advanceTimersByTime(3_000);
    requests.request('a');
    expect(new Set(jobs.map(({ runKey }) => runKey)).size).toBe(3);
    expect(jobs.map(({ companyId }) => companyId)).toEqual(['a', 'b', 'a']);
  });

  it('are not lost when the service stops', async () => {
    requests.request('a');
    requests.request('a');
    await requests.onApplicationShutdown();
    expect(jobs).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(jobs).toHaveLength(2);
  });
});
