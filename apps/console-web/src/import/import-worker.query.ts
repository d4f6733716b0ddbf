import { useEffect, useRef, useState } from 'react';
import workerAddress from './import-file.worker?worker&url';
import type { Asked, Looked, Progress, Reject, Said } from './import-plan.query';

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
  readonly progress?: Progress;
  readonly rejects?: readonly Reject[];
  readonly failure?: string;
}

/** A worker that reads a file and sends what is made of it; it ends with the page. */
export function useImport(): { state: ImportState; ask: (asked: Asked) => void } {
  const worker = useRef<Worker>(undefined);
  const [state, setState] = useState<ImportState>({});
  useEffect(() => () => worker.current?.terminate(), []);
  const started = () => {
    const made = new Worker(policy.createScriptURL(workerAddress), { type: 'module' });
    made.addEventListener('message', ({ data }: MessageEvent<Said>) =>
      setState((before) => next(before, data)),
    );
    made.addEventListener('error', () =>
      setState((before) => ({ ...before, failure: 'The file could not be read.' })),
    );
    return made;
  };
  return {
    state,
    ask: (asked) => {
      setState(({ looked }) => (asked.kind === 'look' ? {} : { looked }));
      worker.current ??= started();
      worker.current.postMessage(asked);
    },
  };
}

function next(before: ImportState, said: Said): ImportState {
  if (said.kind === 'looked') return { looked: said };
  if (said.kind === 'progress') return { ...before, progress: said.progress };
  if (said.kind === 'sent') return { ...before, progress: said.progress, rejects: said.rejects };
  return { ...before, failure: said.message };
}
