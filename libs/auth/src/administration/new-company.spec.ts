import { validatedContact } from './key-contacts';
import { validatedCompany } from './new-company';

const refused = (parameter: string) =>
  expect.objectContaining({
    ...{ code: 'INVALID_PARAMETER', status: 400, fields: { parameter } },
    message: expect.stringMatching(/^(A name has|timeZone is|A portal id has|contact is) .+\.$/),
  });

describe('a new company', () => {
  it('needs a name alone: its time zone is UTC, and it has no portal', () => {
    expect(validatedCompany({ name: ' Acme ' })).toEqual({ name: 'Acme', timeZone: 'UTC', portalId: null });
  });

  it.each([
    [{ name: 'x' }],
    [{ name: 'x'.repeat(200) }],
    [{ name: '\u{1F3E2}'.repeat(200) }],
    [{ name: 'x', timeZone: 'Europe/Berlin' }],
    [{ name: 'x', timeZone: 'Etc/GMT+2' }],
    [{ name: 'x', portalId: '!' }],
    [{ name: 'x', portalId: '~'.repeat(128) }],
  ])('can be %j', (input) => expect(validatedCompany(input)).toMatchObject(input));

  it.each([
    [{ name: '' }, 'name'],
    [{ name: ' \t ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'x\0' }, 'name'],
    [{ name: 'x\u001b[2J' }, 'name'],
    [{ name: 'x\ny' }, 'name'],
    [{ name: 'x', timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ name: 'x', timeZone: '+02:00' }, 'timeZone'],
    [{ name: 'x', timeZone: '' }, 'timeZone'],
    [{ name: 'x', portalId: '' }, 'portalId'],
    [{ name: 'x', portalId: 'two words' }, 'portalId'],
    [{ name: 'x', portalId: 'caf\u00e9' }, 'portalId'],
    [{ name: 'x', portalId: 'x\n' }, 'portalId'],
    [{ name: 'x', portalId: 'x'.repeat(129) }, 'portalId'],
  ])('cannot be %j', (input, parameter) => {
    expect(() => validatedCompany(input)).toThrow(refused(parameter));
  });
});

describe('a contact', () => {
  const host = `${'x'.repeat(63)}.${'x'.repeat(63)}.${'x'.repeat(57)}.com`;

  it('is one e-mail address, of 254 characters at most', () => {
    expect(validatedContact(' ops@example.com ')).toBe('ops@example.com');
    const longest = `${'x'.repeat(254 - host.length - 1)}@${host}`;
    expect(validatedContact(longest)).toBe(longest);
    expect(() => validatedContact(`x${longest}`)).toThrow(refused('contact'));
  });

  it.each(['', 'ops', 'ops@', 'a@example.com,b@example.com', 'ops@example.com\nBcc: x@example.com'])(
    'is not %j',
    (text) => expect(() => validatedContact(text)).toThrow(refused('contact')),
  );
});
