import { isPublicAddress } from './public-address';
import { targetOf } from './target';

const PRIVATE = [
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
  ],
  ...[
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
  ],
  ...[
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
  ],
  ...['240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...[
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:10::1',
    '2001:db8::1',
  ],
  ...['2002:7f00:1::', '2002:a9fe:a9fe::', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1'],
  ...['fe80::1%eth0', '2606:4700::1%eth0', 'fec0::1', 'ff02::1'],
  // What is no address at all is none of the Internet.
  ...['', 'localhost', '0x7f000001', '2130706433', '127.1', '8.8.8.8.', '[::1]'],
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
];
const PUBLIC_IPV6 = ['2606:4700:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888', '2400:cb00::1'];

describe('an address that is sent to', () => {
  it.each(PRIVATE)('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each([...PUBLIC, ...PUBLIC_IPV6])('may be %s', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('a URL that is sent to', () => {
  const fault = (url: string) => {
    const target = targetOf(url, isPublicAddress);
    return typeof target === 'string' ? target : undefined;
  };

  // Every way to write 127.0.0.1 or the metadata service of a cloud as a host, as parsers of URLs understand them.
  it.each([
    ...['https://127.0.0.1/', 'https://127.1/', 'https://127.0.1/', 'https://0177.0.0.1/', 'https://0x7f.1/'],
    ...[
      'https://0x7f000001/',
      'https://2130706433/',
      'https://017700000001/',
      'https://0/',
      'https://127.0.0.1./',
    ],
    ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[0:0:0:0:0:ffff:7f00:1]/', 'https://[::]/'],
    ...['https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/', 'https://[fd00:ec2::254]/'],
    ...['https://169.254.169.254/latest/meta-data/', 'https://2852039166/', 'https://0xA9FEA9FE/'],
    ...['https://①②⑦.0.0.1/', 'https://127。0。0。1/', 'https://%31%32%37.0.0.1/', 'https://127.0.0.1:8443/'],
  ])('is not %s', (url) => expect(fault(url)).toBe('TARGET_NOT_PUBLIC'));

  it.each([
    ...[
      ['http://hooks.example.com/', 'TARGET_NOT_HTTPS'] as const,
      ['ftp://hooks.example.com/', 'TARGET_NOT_HTTPS'] as const,
    ],
    ...[
      ['file:///etc/passwd', 'TARGET_NOT_HTTPS'] as const,
      ['javascript:alert(1)', 'TARGET_NOT_HTTPS'] as const,
    ],
    ...[
      ['https://hooks.example.com:22/', 'TARGET_PORT'] as const,
      ['https://hooks.example.com:80/', 'TARGET_PORT'] as const,
    ],
    ...[['https://hooks.example.com:9200/', 'TARGET_PORT'] as const],
    ...[['https://user@hooks.example.com/', 'TARGET_HAS_PASSWORD'] as const],
    ...[['https://hooks.example.com@127.0.0.1/', 'TARGET_HAS_PASSWORD'] as const],
    ...[['https://:secret@hooks.example.com/', 'TARGET_HAS_PASSWORD'] as const],
    ...[['', 'TARGET_NO_URL'] as const, ['hooks.example.com', 'TARGET_NO_URL'] as const],
    ...[
      ['https://', 'TARGET_NO_URL'] as const,
      [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'TARGET_NO_URL'] as const,
    ],
  ])('is not %s', (url, expected) => expect(fault(url)).toBe(expected));

  it.each([
    'https://hooks.example.com/in?team=1',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1]:443/',
  ])('may be %s', (url) => expect(fault(url)).toBeUndefined());
});
