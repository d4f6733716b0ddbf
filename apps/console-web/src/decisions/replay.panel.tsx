import { usePlace } from '../api/place.query';
import { Failure } from '../shell/answer.panel';
import {
  type FailedHere,
  type ReplayedHere,
  type ReplayedThere,
  type Replays,
  useReplays,
} from './replay.query';

const FAULT_WORDS: Readonly<Record<string, string>> = {
  model_changed: 'the model that it was made from is not the one that was frozen',
  identity_changed: 'what it is about is not what was frozen',
  result_differs: 'another result comes out',
  not_computable: 'it cannot be computed any more',
};

/** Makes a decision again from what was frozen with it, here and on the server, when somebody asks for it. */
export function Replay({ decisionId }: { readonly decisionId: string }) {
  const { company } = usePlace();
  const replays = useReplays(company, decisionId);
  const { data, error, isFetching } = replays;
  return (
    <>
      <button
        disabled={isFetching}
        onClick={() => void replays.refetch()}
        aria-label={`Replay ${decisionId}`}
      >
        Replay
      </button>
      <span role="status">
        {isFetching && ' Making it again …'}
        {!isFetching && !error && data && ` ${verdictOf(data)}`}
      </span>
      {error && !isFetching && <Failure error={error} />}
    </>
  );
}

function verdictOf({ here, there, otherHashes }: Replays): string {
  return [...sentencesOf(here, there), ...hashSentence(otherHashes)].join(' ');
}

function sentencesOf(here: ReplayedHere, there: ReplayedThere): readonly string[] {
  const what = `engine ${there.engineVersion}, result ${there.resultSha256.slice(0, 12)}…`;
  const fault = FAULT_WORDS[there.fault ?? ''] ?? 'another result comes out';
  switch (here.outcome) {
    case 'same':
      return there.identical
        ? [`This browser and the server each get the bytes that were frozen (${what}).`]
        : [`This browser gets the bytes that were frozen (${what}).`, `The server does not: ${fault}.`];
    case 'other_engine': {
      const engines = `Engine ${there.engineVersion} made this decision, and this page brings ${here.engine}`;
      return there.identical
        ? [
            `${engines}: it is replayed on the server, which keeps earlier engines and gets the bytes that were frozen (${what}).`,
          ]
        : [
            `${engines}: it is replayed on the server alone.`,
            `The server does not get the bytes that were frozen: ${fault} (${what}).`,
          ];
    }
    default:
      return [
        `This browser does not get the bytes that were frozen: ${whyNot(here)}.`,
        there.identical ? `The server does (${what}).` : `Nor does the server: ${fault} (${what}).`,
      ];
  }
}

function whyNot(here: FailedHere): string {
  switch (here.outcome) {
    case 'no_model':
      return 'the model is gone';
    case 'not_computable':
      return 'it cannot be computed from them';
    case 'differs':
      return here.field === null
        ? 'the values are the same, and are written otherwise'
        : `${here.field} is ${here.here} here and ${here.frozen} as frozen`;
  }
}

function hashSentence(others: readonly string[] | null): readonly string[] {
  if (others === null) return [];
  if (others.length === 0) return ['Each text has the SHA-256 that the server states.'];
  return [`Another SHA-256 than the server states: ${others.join(', ')}.`];
}
