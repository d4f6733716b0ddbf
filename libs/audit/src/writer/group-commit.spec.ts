import { GroupCommit } from './group-commit';

/** Writes that end when the test says so. */
function pausedWrites() {
  const groups: { readonly items: readonly string[]; end(error?: Error): void }[] = [];
  const write = (items: readonly string[]) =>
    new Promise<void>((resolve, reject) =>
      groups.push({ items, end: (error) => (error ? reject(error) : resolve()) }),
    );
  return { groups, write };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('group commit', () => {
  it('writes at once while nothing is under way', () => {
    const { groups, write } = pausedWrites();
    void new GroupCommit(write, 10).add('a');
    // Mutation: a timer in front makes this 0.
    expect(groups.map(({ items }) => items)).toEqual([['a']]);
  });

  it('writes together what arrived during a write, in order', async () => {
    const { groups, write } = pausedWrites();
    const commits = new GroupCommit(write, 10);
    const order: string[] = [];
    for (const item of ['a', 'b', 'c', 'd']) void commits.add(item).then(() => order.push(item));
    await settled();
    expect(groups.map(({ items }) => items)).toEqual([['a']]);
    groups[0]?.end();
    await settled();
    expect(order).toEqual(['a']);
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']]);
    groups[1]?.end();
    await settled();
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes no more into one write than it may', async () => {
    const { groups, write } = pausedWrites();
    const commits = new GroupCommit(write, 2);
    for (const item of ['a', 'b', 'c', 'd']) void commits.add(item);
    for (let n = 0; n < 3; n += 1) {
      groups[n]?.end();
      await settled();
    }
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('fails everybody in a failed write, and nobody else', async () => {
    const { groups, write } = pausedWrites();
    const commits = new GroupCommit(write, 10);
    const results = ['a', 'b', 'c'].map((item) =>
      commits.add(item).then(
        () => `${item} committed`,
        () => `${item} failed`,
      ),
    );
    groups[0]?.end();
    await settled();
    groups[1]?.end(new Error('disk full'));
    expect(await Promise.all(results)).toEqual(['a committed', 'b failed', 'c failed']);
    const later = commits.add('d');
    groups[2]?.end();
    await expect(later).resolves.toBeUndefined();
    await commits.idle();
  });
});
