import { schema, type Schema } from '@outcomes/contracts';
import {
  ANALYSIS_REASONS,
  ANALYSIS_STATES,
  type AnalysisRequested,
  type IngestStatus,
} from '@outcomes/ingestion';

const { count, flag, known, nullable, recordOf, text, timestamp, uuid } = schema;

export const STATUS_SCHEMAS = {
  IngestStatus: recordOf<IngestStatus>({
    batches_pending: count('Requests, or groups of small ones, that are stored and not counted yet.'),
    events_pending: count('Events in them.'),
    batches_parked: count(
      'Batches that failed five times and are tried no more until an operator has looked at them.',
    ),
    events_waiting: count('Events whose message is not known yet.'),
    newest_event: nullable(
      recordOf<NonNullable<IngestStatus['newest_event']>>(
        {
          outcome_at: nullable(timestamp('Its outcome_at; null where it was deleted before it was counted.')),
          ingested_at: timestamp('When it was stored.'),
        },
        'Of the events that were stored last the one with the newest outcome_at; null before the first.',
      ),
    ),
    last_processed_at: nullable(timestamp('When events were last counted; null before the first.')),
    rebuild_under_way: flag(
      'Whether stored history is being counted again after an upgrade. Answers may change until it is done.',
    ),
    unanalysed_since: nullable(
      timestamp('Since when something is counted that no analysis has read; null where there is nothing.'),
    ),
    analysis: known(ANALYSIS_STATES, 'Whether an analysis runs, is due and waits for a worker, or neither.'),
    last_analysis: nullable(
      recordOf<NonNullable<IngestStatus['last_analysis']>>(
        {
          run_id: uuid('The run.'),
          state: known(['running', 'succeeded', 'failed'], 'What became of it.'),
          started_at: timestamp('When it began.'),
          finished_at: nullable(timestamp('When it ended; null while it runs.')),
          data_as_of: timestamp('Events that were stored up to here are in it.'),
        },
        'The newest analysis; null before the first.',
      ),
    ),
    next_analysis: recordOf<IngestStatus['next_analysis']>(
      {
        at: nullable(
          timestamp(
            'When it is due at the earliest; in the past while it waits for a worker. Null where that is not known yet.',
          ),
        ),
        reason: known(
          ANALYSIS_REASONS,
          'first_data: the first day of a company. growth: at least a tenth more messages. daily: every night. requested: by a caller or after a deletion.',
        ),
      },
      'The next analysis.',
    ),
  }),
  AnalysisRequested: recordOf<AnalysisRequested>({
    run_key: text('Names the analysis that will answer the request, in logs and to support.'),
    status: known(['queued'], 'It is stored and comes as soon as a worker is free.'),
  }),
} as const satisfies Readonly<Record<string, Schema>>;
