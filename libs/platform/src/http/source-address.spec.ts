import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import { senderOf, sourceAddress } from './source-address';

describe('the address of a sender', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51000', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::2%1', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['', ''],
    ['unknown', 'unknown'],
    ['1.2.3.4.5', '1.2.3.4.5'],
  ])('%s is %s', (written, name) => {
    expect(sourceAddress(written)).toBe(name);
    expect(sourceAddress(name)).toBe(name);
  });
});

function requestThatSays(told: string | undefined): IncomingMessage {
  const headers = told === undefined ? {} : { 'x-forwarded-for': told };
  return { headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage;
}

/** What Express makes of a request behind so many proxies. */
function ofExpress(request: IncomingMessage, proxies: number): string | undefined {
  const app = express();
  app.set('trust proxy', proxies);
  return (Object.assign(Object.create(app.request), request) as Request).ip;
}

describe('the sender of a request', () => {
  it.each([
    [0, '192.0.2.1', '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
    [1, '192.0.2.1', '192.0.2.1'],
    // What stands left of the trusted proxies' own words is the caller's.
    [1, '198.51.100.1, 192.0.2.1', '192.0.2.1'],
    [2, '198.51.100.1, 192.0.2.1, 10.0.0.9', '192.0.2.1'],
    [2, '192.0.2.1', '192.0.2.1'],
  ])('behind %i proxies that say %s is %s, as Express has it', (proxies, told, sender) => {
    expect(senderOf(requestThatSays(told), proxies)).toBe(sender);
    expect(ofExpress(requestThatSays(told), proxies)).toBe(sender);
  });

  it('is the connection where the nearest proxy names nobody', () => {
    expect(senderOf(requestThatSays('192.0.2.1,'), 1)).toBe('10.0.0.1');
  });
});
