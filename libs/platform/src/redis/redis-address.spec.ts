import { followingPrimary, sentinelList } from './redis-address';

describe('the address of Redis', () => {
  it('is the URL where there are no sentinels', () => {
    expect(followingPrimary({ url: 'redis://cache:6379', sentinels: [] })).toEqual({
      reconnectOnError: expect.any(Function) as unknown,
    });
  });

  it('is what sentinels say of the name in the URL', () => {
    const sentinels = sentinelList.parse(
      'redis://watch:p%40ss@one.example:26380, redis://watch:p%40ss@two.example',
    );
    expect(followingPrimary({ url: 'rediss://app:secret@Main_1/2', sentinels })).toMatchObject({
      name: 'Main_1',
      sentinels: [
        { host: 'one.example', port: 26_380 },
        { host: 'two.example', port: 26_379 },
      ],
      sentinelUsername: 'watch',
      sentinelPassword: 'p@ss',
      enableTLSForSentinelMode: true,
      failoverDetector: true,
    });
  });

  it('asks sentinels over TLS where they say so, whatever the primary does', () => {
    const of = (sentinel: string, url: string) => {
      const { sentinelTLS, enableTLSForSentinelMode } = followingPrimary({ url, sentinels: [sentinel] });
      return [sentinelTLS, enableTLSForSentinelMode];
    };
    expect(of('rediss://one', 'redis://main')).toEqual([{}, false]);
    expect(of('redis://one', 'rediss://main')).toEqual([undefined, true]);
  });

  it('leaves a server that has become a replica, and none for another error', () => {
    const { reconnectOnError } = followingPrimary({ url: 'redis://cache', sentinels: [] });
    expect(reconnectOnError?.(new Error("READONLY You can't write against a read only replica."))).toBe(true);
    expect(reconnectOnError?.(new Error('OOM command not allowed'))).toBe(false);
  });

  it.each(['one:26379', 'http://one', 'redis://', 'redis://a:1,two', 'redis://u:1@one,redis://u:2@two'])(
    'takes no %s for a list of sentinels',
    (list) => {
      expect(sentinelList.safeParse(list).success).toBe(false);
    },
  );

  it('takes none', () => {
    expect(sentinelList.parse(undefined)).toEqual([]);
  });
});
