import type { AlertCode, Channel, DriftDocument, DriftKind, DriftVerdict } from '@outcomes/contracts';

/** Worst first: what speaks against the posteriors before what merely changed. */
const SEVERITY: readonly DriftKind[] = ['rate', 'mix', 'volume', 'insufficient_data', 'none'];

export interface DriftFinding {
  /** Worst first; those of one channel where a channel is asked for. */
  readonly verdicts: readonly DriftVerdict[];
  /** The worst of them; insufficient_data where drift was never tested. */
  readonly kind: DriftKind;
  /** Whether every test leaves the posteriors standing. */
  readonly trustworthy: boolean;
}

/** What the latest drift tests say, of one channel or of all. Every answer that mentions drift says the same. */
export function driftFinding(drift: DriftDocument | undefined, channel?: Channel): DriftFinding {
  const verdicts = (drift?.verdicts ?? [])
    .filter((verdict) => channel === undefined || verdict.channel === channel)
    .sort((a, b) => SEVERITY.indexOf(a.kind) - SEVERITY.indexOf(b.kind));
  return {
    verdicts,
    kind: verdicts[0]?.kind ?? 'insufficient_data',
    trustworthy: verdicts.length > 0 && verdicts.every((verdict) => verdict.posteriors_trustworthy),
  };
}

export function driftAlerts(kind: DriftKind): AlertCode[] {
  switch (kind) {
    case 'none':
      return [];
    case 'rate':
      return ['drift_detected'];
    case 'mix':
    case 'volume':
      return ['drift_watch'];
    case 'insufficient_data':
      return ['drift_not_evaluated'];
  }
}
