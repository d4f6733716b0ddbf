import { useQuery } from '@tanstack/react-query';
import type { DecisionBytes } from '@outcomes/contracts';
import { ask, Refusal } from '../api/console.query';

/** What the server says of its own replay. */
export interface ReplayedThere {
  readonly identical: boolean;
  readonly fault: string | null;
  readonly engineVersion: string;
  readonly resultSha256: string;
}

/** What came of a replay in this browser. */
export type ReplayedHere =
  | { readonly outcome: 'same' }
  /** Made by another engine than the page brings: not replayed here. */
  | { readonly outcome: 'other_engine'; readonly engine: string }
  | FailedHere;

export type FailedHere =
  | { readonly outcome: 'no_model' }
  | { readonly outcome: 'not_computable' }
  | {
      readonly outcome: 'differs';
      /** The first field that does; null where the values agree and their bytes do not. */
      readonly field: string | null;
      readonly here: string;
      readonly frozen: string;
    };

export interface Replays {
  readonly there: ReplayedThere;
  readonly here: ReplayedHere;
  /** Which of the texts have another SHA-256 than they should; null where this browser cannot tell. */
  readonly otherHashes: readonly string[] | null;
}

/** A decision, made again on the server and in this browser, once somebody asks for it. */
export function useReplays(company: string, decisionId: string) {
  const path = `c/${company}/decisions/${encodeURIComponent(decisionId)}`;
  return useQuery({
    queryKey: [company, 'replay', decisionId],
    queryFn: async (): Promise<Replays> => {
      const [there, frozen, engine] = await Promise.all([
        ask<ReplayedThere>(`${path}/replay`),
        ask<DecisionBytes>(`${path}/frozen`),
        loadEngine(),
      ]);
      return { there, here: replayHere(frozen, engine), otherHashes: await otherHashesOf(frozen) };
    },
    enabled: false,
    gcTime: 0,
  });
}

type Engine = Awaited<ReturnType<typeof loadEngine>>;

/** The computation itself: nobody fetches it who does not ask for a replay. */
async function loadEngine() {
  return import('./replay').catch(() => {
    const message = 'The code that replays decisions could not be loaded. Reload the page.';
    throw new Refusal(0, 'UNREACHABLE', message, '', []);
  });
}

function replayHere({ engineVersion, model, inputs, result }: DecisionBytes, engine: Engine): ReplayedHere {
  if (engineVersion !== engine.ENGINE_VERSION)
    return { outcome: 'other_engine', engine: engine.ENGINE_VERSION };
  if (model === null) return { outcome: 'no_model' };
  try {
    const replay = engine.replayDecision({ model, inputs, result });
    return replay.identical
      ? { outcome: 'same' }
      : { outcome: 'differs', ...differenceOf(replay.result, result) };
  } catch {
    return { outcome: 'not_computable' };
  }
}

/** The first field in which two results differ, in the order in which they were frozen. */
function differenceOf(here: string, frozen: string) {
  const [own, stored] = [fieldsOf(here), fieldsOf(frozen)];
  for (const field of new Set([...stored.keys(), ...own.keys()])) {
    const values = { here: own.get(field) ?? 'nothing', frozen: stored.get(field) ?? 'nothing' };
    if (values.here !== values.frozen) return { field, ...values };
  }
  return { field: null, here, frozen };
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
  return new Map(fields.map(([field, value]) => [field, JSON.stringify(value)]));
}

async function otherHashesOf(bytes: DecisionBytes): Promise<readonly string[] | null> {
  // Browsers lend it to pages over https and on localhost alone.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (!subtle) return null;
  const others: string[] = [];
  for (const [name, text, said] of [
    ['model', bytes.model, bytes.modelSha256],
    ['inputs', bytes.inputs, bytes.inputsSha256],
    ['result', bytes.result, bytes.resultSha256],
  ] as const) {
    if (text === null) continue;
    const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    if (hex !== said) others.push(name);
  }
  return others;
}
