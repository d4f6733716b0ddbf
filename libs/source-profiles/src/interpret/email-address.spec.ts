import { parseEmailAddress } from './email-address';

const label = (length: number) => 'd'.repeat(length);

describe('an address', () => {
  it('is trimmed and in lower case, with its domain', () => {
    expect(parseEmailAddress(' Ann.Doe@Mail.EXAMPLE.org\n')).toEqual({
      address: 'ann.doe@mail.example.org',
      domain: 'mail.example.org',
    });
    expect(parseEmailAddress('"a@b"@Example.org')?.domain).toBe('example.org');
    expect(parseEmailAddress('a@[IPv6:2001:DB8::1]')?.domain).toBe('[ipv6:2001:db8::1]');
  });

  it('has before its @ letters, digits and these marks', () => {
    for (const character of "az09!#$%&'*+/=?^_`{|}~-") {
      for (const local of [character, `x${character}`, `x.${character}.x`]) {
        expect(parseEmailAddress(`${local}@x.org`)?.address).toBe(`${local}@x.org`);
      }
    }
    for (const character of ' "(),:;<>@[\\]\0\x7fü') {
      for (const local of [character, `x${character}`, `${character}x`, `x.${character}.x`]) {
        expect(parseEmailAddress(`a${local}@x.org`)).toBeUndefined();
      }
    }
  });

  it.each([...['', ' a b ', '!', '#', '[', ']', '~', '@', '..'], ...['\\"', '\\\\', '\\ ', '\\~', 'a\\"b']])(
    'may quote what is before its @: "%s"',
    (quoted) => {
      expect(parseEmailAddress(`"${quoted}"@x.org`)?.domain).toBe('x.org');
    },
  );

  it.each(['"', '\\', 'ü', '\n', '\x7f', '\\\x1f', '\\ü', 'a"b', '"a', 'a\\'])(
    'may not quote "%s" without an escape, or at all',
    (quoted) => {
      expect(parseEmailAddress(`"${quoted}"@x.org`)).toBeUndefined();
    },
  );

  it('is not quoted in part', () => {
    for (const local of ['"a"b', 'a"b"', '"a".b', '"a', 'a"']) {
      expect(parseEmailAddress(`${local}@x.org`)).toBeUndefined();
    }
  });

  it.each([
    ...['x', '9', 'x.y', 'x-y', 'x--y.z', '1-2.3', 'a1.b2', label(63), `${label(63)}.x`, `x.${label(63)}`],
    ...['[1.22.255.0]', '[ipv6:::]', `[ipv6:${':'.repeat(45)}]`, '[ipv6:::ffff:192.0.2.1]'],
  ])('may have the domain %s', (domain) => {
    expect(parseEmailAddress(`a@${domain}`)?.domain).toBe(domain);
  });

  it.each([
    ...['', '.', '-', '-x', 'x-', 'x.-y', 'x-.y', 'x.y-', '.x', 'x.', 'x..y', 'x_y', 'x y', 'xü', 'ü'],
    ...[label(64), `${label(64)}.x`, `x.${label(64)}`, 'x[1.1.1.1]', '[1.1.1.1]x', '[1.1.1.1', '1.1.1.1]'],
    ...['[1.1.1]', '[1.1.1.1.1]', '[1111.1.1.1]', '[1.1.1.1111]', '[1.1.1.]', '[a.1.1.1]', '[1x1x1x1]'],
    ...['[]', '[ipv6::]', '[ipv6:g::]', `[ipv6:${':'.repeat(46)}]`, '[ipv6::::', '[ipv4:1.1.1.1]'],
  ])('may not have the domain "%s"', (domain) => {
    expect(parseEmailAddress(`a@${domain}`)).toBeUndefined();
  });

  it('has 1 to 64 characters before its @, and 254 in all', () => {
    expect(parseEmailAddress('@x.org')).toBeUndefined();
    expect(parseEmailAddress(`${'l'.repeat(64)}@x.org`)).toBeDefined();
    expect(parseEmailAddress(`${'l'.repeat(65)}@x.org`)).toBeUndefined();
    const domain = `${label(63)}.${label(63)}.${label(63)}`;
    expect(parseEmailAddress(`${'l'.repeat(254 - 192)}@${domain}`)?.address).toHaveLength(254);
    expect(parseEmailAddress(`${'l'.repeat(255 - 192)}@${domain}`)).toBeUndefined();
    expect(parseEmailAddress('no at')).toBeUndefined();
  });
});
