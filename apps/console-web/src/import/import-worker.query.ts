import { useEffect, useRef, useState } from 'react';
import workerAddress from './import-file.worker?worker&url';
import type { Asked, Looked, OfJob, Progress, Reject, Said } from './import-plan.query';

declare const trustedTypes:
  | {
      createPolicy(
        name: string,
        rules: { createScriptURL: (address: string) => string },
      ): { createScriptURL(address: string): string };
    }
  | undefined;

/** The one address that may become a Worker: the page's policy takes no other text for one. */
const rules = {
  createScriptURL: (address: string) => {
    if (address !== workerAddress) throw new TypeError('This is not the address of the import.');
    return address;
  },
};
const policy =
  typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('import-worker', rules);

export interface ImportState {
  readonly looked?: Looked;
  readonly stage?: 'sending' | 'waiting' | 'sent' | 'failed';
  readonly progress?: Progress;
  readonly rejects?: readonly Reject[];
  readonly failure?: string;
}

/** A worker that reads a file and sends what is made of it; it ends with the page. */
export function useImport(): { state: ImportState; ask: (asked: Asked) => void } {
  const worker = useRef<Worker>(undefined);
  const newest = useRef(0);
  const [state, setState] = useState<ImportState>({});
  useEffect(() => () => worker.current?.terminate(), []);
  const started = () => {
    const made = new Worker(policy.createScriptURL(workerAddress), { type: 'module' });
    made.addEventListener('message', ({ data }: MessageEvent<Said & OfJob>) => {
      // What is said of a file that is no longer chosen would stand under the name of another.
      if (data.job === newest.current) setState((before) => next(before, data));
    });
    made.addEventListener('error', () =>
      setState((before) => ({ ...before, stage: 'failed', failure: 'The file could not be read.' })),
    );
    return made;
  };
  return {
    state,
    ask: (asked) => {
      setState(({ looked }) => (asked.kind === 'look' ? {} : { looked, stage: 'sending' }));
      newest.current += 1;
      worker.current ??= started();
      worker.current.postMessage({ ...asked, job: newest.current } satisfies Asked & OfJob);
    },
  };
}

function next(before: ImportState, said: Said): ImportState {
  const { kind } = said;
  if (kind === 'looked') return { looked: said };
  if (kind === 'progress') return { ...before, stage: 'sending', progress: said.progress };
  if (kind === 'waiting') return { ...before, stage: 'waiting' };
  const { progress = before.progress, rejects } = said;
  return {
    ...{ looked: before.looked, stage: kind, progress, rejects },
    ...(kind === 'failed' && { failure: said.message }),
  };
}
