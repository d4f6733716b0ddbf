import { PROFILES } from './profiles/known-profiles';
import { isTimeZone } from './interpret/read-time';
import { profileFault } from './profile-fault';

describe('profiles', () => {
  it.each(PROFILES.map((profile) => [profile.tool, profile] as const))(
    '%s is what the schema says',
    (_tool, profile) => {
      expect(profileFault(profile)).toBeUndefined();
    },
  );

  it('are drafts where anything of them is unverified', () => {
    for (const { tool, status, routes } of PROFILES) {
      if (routes.some(({ unverified }) => unverified)) expect([tool, status]).toEqual([tool, 'draft']);
    }
  });

  it('name zones that exist, each tool once, and public pages', () => {
    const zones = [...JSON.stringify(PROFILES).matchAll(/"zone":"([^"]+)"/g)].map(([, zone = '']) => zone);
    expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
    expect(new Set(PROFILES.map(({ tool }) => tool)).size).toBe(PROFILES.length);
    expect(PROFILES.filter(({ documentation }) => documentation.length === 0)).toEqual([]);
  });
});

describe('a profile of a caller', () => {
  const own = {
    tool: 'mine',
    title: 'Mine',
    status: 'draft',
    documentation: [],
    routes: [
      {
        name: 'file',
        media: ['csv'],
        grain: 'message',
        detect: { columns: ['Mail'] },
        message: { joins: 'step', email: { op: 'email', path: 'Mail' } },
        facts: [{ tells: 'sent', at: { op: 'time', path: 'When' } }],
      },
    ],
  };
  const [route] = own.routes;

  it('is taken as it is', () => {
    expect(profileFault(own)).toBeUndefined();
  });

  it.each<[string, unknown, object]>([
    [
      'a word that no fact has',
      { facts: [{ tells: 'bought' }] },
      { path: '/routes/0/facts/0/tells', allowed: expect.arrayContaining(['sent']) },
    ],
    [
      'a field that is none',
      { colour: 'red' },
      { path: '/routes/0', message: expect.stringContaining('colour') },
    ],
    [
      'an operation that is none',
      { message: { joins: 'step', email: { op: 'eval', path: 'x' } } },
      { path: '/routes/0/message/email' },
    ],
    [
      'a regular expression',
      { detect: { when: { matches: '.*' } } },
      { path: expect.stringMatching(/^\/routes\/0\/detect/) },
    ],
  ])('is refused for %s, with the place', (_case, change, expected) => {
    expect(profileFault({ ...own, routes: [{ ...route, ...(change as object) }] })).toMatchObject(expected);
  });
});
