import type { RunFrame } from '@outcomes/contracts';

/** What trust follows from: the frame of a run, or its whole ledger. */
export type DatedFrame = Pick<RunFrame, 'data_as_of' | 'newest_outcome_at' | 'channels' | 'silent_sources'>;
