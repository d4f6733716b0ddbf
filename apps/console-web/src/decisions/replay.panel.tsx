import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { Failure } from '../shell/answer.panel';

interface Replayed {
  readonly identical: boolean;
  readonly fault: keyof typeof FAULT_WORDS | null;
  readonly engineVersion: string;
  readonly resultSha256: string;
}

const FAULT_WORDS = {
  model_changed: 'the model that it was made from is not the one that was frozen',
  identity_changed: 'what it is about is not what was frozen',
  result_differs: 'another result comes out',
  not_computable: 'it cannot be computed any more',
} as const;

/** Makes a decision again from what was frozen with it, when somebody asks for it. */
export function Replay({ decisionId }: { readonly decisionId: string }) {
  const { company } = usePlace();
  const replay = useQuery({
    queryKey: [company, 'replay', decisionId],
    queryFn: () => ask<Replayed>(`c/${company}/decisions/${decisionId}/replay`),
    enabled: false,
  });
  return (
    <>
      <button
        disabled={replay.isFetching}
        onClick={() => void replay.refetch()}
        aria-label={`Replay ${decisionId}`}
      >
        Replay
      </button>
      <span role="status">{replay.data && verdictOf(replay.data)}</span>
      {replay.error && <Failure error={replay.error} />}
    </>
  );
}

function verdictOf({ identical, fault, engineVersion, resultSha256 }: Replayed): string {
  const of = `engine ${engineVersion}, result ${resultSha256.slice(0, 12)}…`;
  return identical
    ? ` The same bytes (${of}).`
    : ` Not the same: ${FAULT_WORDS[fault ?? 'result_differs']} (${of}).`;
}
