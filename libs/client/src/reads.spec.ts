import { answer, transportTo } from '../test/answers.ts';
import { pages, read } from './reads.ts';

const asking = (answers: (url: URL) => Response) => {
  const urls: string[] = [];
  const { transport } = transportTo((url) => {
    urls.push(`${url.pathname}${url.search}`);
    return answers(url);
  });
  return { asked: { transport, url: 'http://x/v1' }, urls };
};

describe('reads', () => {
  it('put parameters of the path into it, escaped, and all others into the query', async () => {
    const { asked, urls } = asking(() => answer(200, { data: {} }));
    await read(asked, 'contact', { contactId: 'name@example.com/..', channel: 'email' });
    expect(urls).toEqual(['/v1/intelligence/contacts/name%40example.com%2F..?channel=email']);
  });

  it.each(['.', '..', ''])(
    'are refused where a part of the path would lead elsewhere: %j',
    async (contactId) => {
      const { asked, urls } = asking(() => answer(200, { data: {} }));
      await expect(read(asked, 'contact', { contactId })).rejects.toThrow(
        new TypeError(`"${contactId}" cannot be a part of an address: the request would go elsewhere.`),
      );
      expect(urls).toEqual([]);
      await read(asked, 'contact', { contactId: '...' });
      expect(urls).toEqual(['/v1/intelligence/contacts/...']);
    },
  );

  it('go on where a field says, and end where it is null', async () => {
    const { asked, urls } = asking(({ searchParams }) => {
      const next = { null: 'a', a: 'b', b: null }[String(searchParams.get('cursor'))];
      return answer(200, { data: { next_cursor: next } });
    });
    const seen: unknown[] = [];
    for await (const { data } of pages(asked, 'campaigns', { limit: 1 })) seen.push(data.next_cursor);
    expect(seen).toEqual(['a', 'b', null]);
    expect(urls.at(-1)).toBe('/v1/intelligence/campaigns?limit=1&cursor=b');
  });

  it('go on where a link leads, and begin at a cursor that is given', async () => {
    const { asked, urls } = asking(({ searchParams }) =>
      searchParams.get('cursor') === 'second+/='
        ? answer(200, { data: [] })
        : answer(200, { data: [{}] }, { Link: '<?limit=1&cursor=second%2B%2F%3D>; rel="next"' }),
    );
    let count = 0;
    for await (const { data } of pages(asked, 'profiles', { limit: 1, cursor: 'first' }))
      count += data.length;
    expect(count).toBe(1);
    expect(urls.map((url) => new URLSearchParams(url.split('?')[1]).get('cursor'))).toEqual([
      'first',
      'second+/=',
    ]);
  });

  it('end where a list that grows has no more for now, and leave the way on from there', async () => {
    const { asked, urls } = asking(({ searchParams }) => {
      const isLast = searchParams.get('cursor') === 'a';
      return answer(200, { data: { next_cursor: isLast ? 'b' : 'a', has_more: !isLast } });
    });
    let last = '';
    for await (const { data } of pages(asked, 'suppressions')) last = data.next_cursor;
    expect([last, urls.length]).toEqual(['b', 2]);
  });

  it('ask for no page that nobody wants', async () => {
    const { asked, urls } = asking(() => answer(200, { data: { next_cursor: 'on' } }));
    for await (const page of pages(asked, 'campaigns')) if (page) break;
    expect(urls.length).toBe(1);
  });
});
