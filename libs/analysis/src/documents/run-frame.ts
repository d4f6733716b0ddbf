import type { DriftDocument, RunFrame } from '@outcomes/contracts';

/**
 * What answers say of the run beside their document: its times, and what trust in it follows from.
 * @param analysedAt - ISO 8601, end of the run
 */
export function runFrame(drift: DriftDocument, analysedAt: string): RunFrame {
  return {
    analysed_at: analysedAt,
    data_as_of: drift.data_as_of,
    newest_outcome_at: drift.newest_outcome_at,
    ...(drift.silent_sources && { silent_sources: drift.silent_sources }),
    ...(drift.no_silence && { no_silence: drift.no_silence }),
    channels: drift.channels.map((channel) => ({ ...channel, changes: channel.changes.slice(-1) })),
  };
}
