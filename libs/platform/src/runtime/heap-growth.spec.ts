import * as v8 from 'node:v8';
import { letHeapGrowByTwoThirds, sparingMemory } from './heap-growth';

jest.mock('node:v8', () => ({ ...jest.requireActual<typeof v8>('node:v8'), setFlagsFromString: jest.fn() }));
const flags = jest.mocked(v8.setFlagsFromString);

const waiting = () => {
  let end!: (result: string) => void;
  let fail!: (error: Error) => void;
  const ended = new Promise<string>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { work: () => ended, end, fail };
};

describe('the heap of a worker', () => {
  it('grows less from the first that spares memory to the last, however they end', async () => {
    const [one, other] = [waiting(), waiting()];
    const first = sparingMemory(one.work);
    const second = sparingMemory(other.work);
    // The worker has started only now.
    letHeapGrowByTwoThirds();
    expect(flags.mock.calls).toEqual([['--heap-growing-percent=20']]);
    one.fail(new Error('broken off'));
    await expect(first).rejects.toThrow('broken off');
    expect(flags.mock.calls).toHaveLength(1);
    other.end('done');
    expect(await second).toBe('done');
    expect(flags.mock.calls).toEqual([['--heap-growing-percent=20'], ['--heap-growing-percent=66']]);
  });
});
