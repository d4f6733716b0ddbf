import { KeyNetworks, readNetwork } from './key-networks';

describe('the networks of a key', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    [' 203.0.113.7 ', '203.0.113.7/32'],
    ['2001:DB8::/48', '2001:db8::/48'],
    ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
  ])('%s is taken', (written, read) => expect(readNetwork(written)).toBe(read));

  it.each([
    '',
    'example.com',
    '203.0.113.0/33',
    '203.0.113/24',
    '203.0.113.0/',
    '203.0.113.0/-1',
    '2001:db8::/65',
    '2001:db8::1',
    'fe80::1%eth0/64',
    'x/203.0.113.0/24',
    '203.0.113.0/24/8',
    '203.0.113.0/24x',
    '203.0.113.0/0024',
    '/24',
  ])('"%s" is not', (written) => expect(readNetwork(written)).toBeUndefined());

  const networks = () => new KeyNetworks(['203.0.113.0/24', '198.51.100.7/32', '2001:db8:5::/48']);

  it.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:5:0::/64', '2001:db8:5:ffff::/64'])(
    'hold %s',
    (sender) => expect(networks().include(sender)).toBe(true),
  );

  it.each(['203.0.114.0', '198.51.100.8', '2001:db8:6:0::/64', '0:0:0:0::/64', 'unknown', ''])(
    'do not hold "%s"',
    (sender) => expect(networks().include(sender)).toBe(false),
  );

  it('hold nothing where what is stored is no network', () => {
    expect(new KeyNetworks(['nonsense']).include('203.0.113.1')).toBe(false);
  });
});
