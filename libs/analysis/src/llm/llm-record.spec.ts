import type { MetricName } from '@outcomes/contracts';
import type { MeasuredRecord } from '../documents/analysis-records';
import { chunkCatalogue } from '../documents/chunk-catalogue';
import { llmRecord, measuredLlm, withLlmChunk } from './llm-record';

const themes = [
  { name: 'Time', observation: 'Said.' },
  { name: 'Cost', observation: 'Said too.' },
];
const reading = { themes, strengths: ['Short.'], weaknesses: ['Vague.'], suggestions: ['Ask.'] };
const sample = [true, false, true].map((answered) => ({ text: 'x', answered }));
const updated = '2026-05-31T02:00:00.000Z';
const record = llmRecord('c', reading, sample, { model: 'm', updated });

describe('what a language model said, as a record', () => {
  it('says on what it rests, and that it is no statistics', () => {
    expect(record).toEqual({
      ...{
        companyId: 'c',
        analysisKey: 'llm_analysis',
        metadata: { metric: 'llm', version: '2.0', updated },
      },
      data: {
        analyses: {
          llm: {
            basis: expect.stringMatching(/language model.*No statistics/),
            ...{ model: 'm', messages_read: 3, answered_messages_read: 2 },
            ...{ themes, strengths: ['Short.'], weaknesses: ['Vague.'] },
          },
        },
        recommendations: [],
        insights: [
          {
            ...{ type: 'llm_suggestion', title: 'Suggestion of a language model', description: 'Ask.' },
            ...{ confidence: 'low', icon: 'sparkles', actionable: true, sample_size: 3 },
          },
        ],
      },
    });
    expect(measuredLlm(record)).toEqual({ record, recordCount: 2, sampleSize: 3, replies: 2 });
  });

  it('measures nothing of a record of another form', () => {
    for (const analyses of [{}, { llm: {} }]) {
      const other = { ...record, data: { ...record.data, analyses } };
      expect(measuredLlm(other)).toEqual({ record: other, recordCount: 0, sampleSize: 0, replies: 0 });
    }
  });

  it('enters a stored catalogue as the next run would write it', () => {
    const tone = { record, recordCount: 5, sampleSize: 100, replies: 7 };
    const others: (readonly [MetricName, MeasuredRecord])[] = [['tone', tone]];
    const stored = chunkCatalogue(new Map(others), updated, { hasMessages: true });
    const next = chunkCatalogue(new Map([...others, ['llm', measuredLlm(record)]]), updated, {
      hasMessages: true,
    });
    expect(withLlmChunk(stored, measuredLlm(record))).toEqual(next);
    expect(next.summary).toEqual({ total: 11, available: 2, lastUpdated: updated, totalSampleSize: 103 });
    expect(withLlmChunk(next, measuredLlm(record))).toEqual(next);
    expect(Object.keys(withLlmChunk(stored, measuredLlm(record)).chunks[0] ?? {})).toEqual(
      Object.keys(next.chunks[0] ?? {}),
    );
  });
});
