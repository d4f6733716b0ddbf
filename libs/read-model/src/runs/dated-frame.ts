import type { RunFrame } from '@outcomes/contracts';

/** What trust follows from: the frame of a run, or its whole ledger. */
export type DatedFrame = Omit<RunFrame, 'analysed_at'>;
