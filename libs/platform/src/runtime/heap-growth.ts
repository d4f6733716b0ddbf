import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect the whole heap when it has doubled. Left alone, V8 weighs only the pauses of the main thread, which are
 * short, and collects when the heap of a busy service has grown by a third: the threads that mark it then take a
 * twelfth of what all its requests cost. To be called before requests are taken; the limit of the heap holds as before.
 */
export function letHeapDouble(): void {
  letHeapGrow(100);
}

/**
 * Has V8 collect the whole heap of a worker when it has grown by two thirds: counting promotes three kilobytes of each event,
 * and left alone V8 marks all that an idle worker has for every few thousand of them. Twice as large it would take more
 * memory than the worker is promised. Work that spares memory, which may have begun, keeps what it asked for.
 */
export function letHeapGrowByTwoThirds(): void {
  if (sparing === 0) letHeapGrow(66);
}

let sparing = 0;

/**
 * Has V8 collect the whole heap of a worker when it has grown by a fifth, until the work is done. For what holds so much that
 * a worker would take more memory than it is promised; it costs about a tenth of the CPU of an analysis from scratch.
 * @param work - others may be at work in the meantime: the heap grows less until the last of them is done
 */
export async function sparingMemory<Result>(work: () => Promise<Result>): Promise<Result> {
  sparing += 1;
  if (sparing === 1) letHeapGrow(20);
  try {
    return await work();
  } finally {
    sparing -= 1;
    letHeapGrowByTwoThirds();
  }
}

/** @param percent - by how much the heap may have grown when all of it is collected, of what lived then */
function letHeapGrow(percent: number): void {
  // Not among the options that NODE_OPTIONS takes. V8 reads it whenever it has collected.
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
