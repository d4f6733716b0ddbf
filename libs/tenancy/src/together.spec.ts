import { together } from './together';

describe('work on one connection', () => {
  it('gives its results in the given order', async () => {
    expect(await together(Promise.resolve('a'), 'b', Promise.resolve(3))).toEqual(['a', 'b', 3]);
  });

  it('is waited for to its end, and fails with the first failure in the given order', async () => {
    let end: () => void = () => undefined;
    const slow = new Promise<never>((_resolve, reject) => (end = () => reject(new Error('first'))));
    let isOver = false;
    const failed = together(slow, Promise.reject(new Error('second'))).finally(() => (isOver = true));
    failed.catch(() => undefined);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    end();
    await expect(failed).rejects.toThrow('first');
  });
});
