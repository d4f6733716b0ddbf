import { JOBS } from '@outcomes/queues';
import { handlerFaults } from './workers.processor';

const batches = { queue: 'batches', jobNames: [JOBS.batches.process] } as const;
const analysis = { queue: 'analysis', jobNames: Object.values(JOBS.analysis) } as const;

describe('every job', () => {
  it('has one handler', () => {
    expect(handlerFaults([batches, analysis])).toEqual([]);
  });

  it('is named where it has none, or more than one', () => {
    expect(handlerFaults([batches])).toEqual(['analysis.analyse', 'analysis.analyse-all']);
    expect(handlerFaults([batches, batches, analysis])).toEqual(['batches.process']);
  });

  it('that nobody declared is named too', () => {
    expect(handlerFaults([batches, analysis, { queue: 'batches', jobNames: ['other'] }])).toEqual([
      'batches.other',
    ]);
  });
});
