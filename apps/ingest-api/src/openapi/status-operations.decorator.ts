import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Fails, Succeeds } from '@outcomes/openapi';
import type { AnalysisRequested, IngestStatus } from '@outcomes/ingestion';
import { EVERY_REQUEST_FAILS } from './operations.decorator';

const STATUS: IngestStatus = {
  batches_pending: 41,
  events_pending: 20_500,
  batches_parked: 0,
  events_waiting: 12,
  newest_event: { outcome_at: '2026-01-08T14:00:00.000Z', ingested_at: '2026-01-09T08:15:02.310Z' },
  last_processed_at: '2026-01-09T08:15:03.120Z',
  rebuild_under_way: false,
  unanalysed_since: '2026-01-09T08:14:40.006Z',
  analysis: 'idle',
  last_analysis: {
    run_id: '6e38e328-70eb-4657-9c91-f5b5b68b0ec4',
    state: 'succeeded',
    started_at: '2026-01-09T08:14:12.000Z',
    finished_at: '2026-01-09T08:14:12.950Z',
    data_as_of: '2026-01-09T08:14:05.480Z',
  },
  next_analysis: { at: '2026-01-09T08:15:12.000Z', reason: 'first_data' },
};
const REQUESTED: AnalysisRequested = {
  run_key: 'requested-0f0c5b2e-7a0e-4c0f-9a51-2f6f2f4f6d10',
  status: 'queued',
};

export const GetStatus = () =>
  applyDecorators(
    ApiTags('Processing'),
    ApiOperation({
      summary: 'How far everything is',
      description:
        'What is stored, counted and analysed, and when the next analysis comes. Counts against the window of the key and never against its month. Needs events_write.',
    }),
    Succeeds({ status: 200, description: 'The state of now.', schemaName: 'IngestStatus', example: STATUS }),
    Fails([...EVERY_REQUEST_FAILS, 'INVALID_PARAMETER']),
  );

export const PostAnalysis = () =>
  applyDecorators(
    ApiTags('Processing'),
    ApiOperation({
      summary: 'Ask for an analysis now',
      description:
        'Analyses everything that is accepted by now, beside the analyses that come by themselves. At most once in five minutes per company. Takes no body. Needs events_write.',
    }),
    Succeeds({
      status: 202,
      description: 'Asked for; it comes as soon as a worker is free.',
      schemaName: 'AnalysisRequested',
      example: REQUESTED,
    }),
    Fails([...EVERY_REQUEST_FAILS, 'INVALID_PARAMETER', 'ANALYSIS_REQUESTED_RECENTLY']),
  );
