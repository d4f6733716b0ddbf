import { deprecationCatalogue, DEPRECATIONS, isAnnounced, startOfDay, type Deprecation } from './catalogue';

const entry: Deprecation = {
  id: 'patterns-v0',
  subject: 'GET /v0/patterns',
  announcedOn: '2027-01-10',
  sunsetOn: '2027-04-10',
  replacement: 'Use GET /v1/patterns.',
  documentation: 'https://example.com/changes#patterns-v0',
};
const refusal = (...changes: Partial<Deprecation>[]) => {
  try {
    deprecationCatalogue(changes.map((change) => ({ ...entry, ...change })));
    return 'taken';
  } catch (error) {
    return String(error);
  }
};

describe('the catalogue of deprecations', () => {
  it('is empty: nothing is deprecated today', () => {
    expect(DEPRECATIONS).toEqual([]);
  });

  it.each([
    // 22 days of January, 28 or 29 of February, 31 of March.
    ['2027-01-10', '2027-04-10', 'taken'],
    ['2027-01-10', '2027-04-09', 'less than 90 days'],
    ['2028-01-10', '2028-04-09', 'taken'],
    ['2028-01-10', '2028-04-08', 'less than 90 days'],
    // Nobody's clocks are put forward or back in UTC.
    ['2027-03-01', '2027-05-30', 'taken'],
    ['2027-03-01', '2027-05-29', 'less than 90 days'],
    ['2027-05-01', '2027-01-10', 'less than 90 days'],
  ])('announced on %s with an end on %s: %s', (announcedOn, sunsetOn, expected) => {
    expect(refusal({ announcedOn, sunsetOn })).toContain(expected);
  });

  it.each([
    [{ announcedOn: '2027-02-30' }, 'announcedOn is no calendar date'],
    [{ sunsetOn: '2027-13-01' }, 'sunsetOn is no calendar date'],
    [{ sunsetOn: '2027-05-01T00:00:00Z' }, 'sunsetOn is no calendar date'],
    [{ sunsetOn: '1 May 2027' }, 'sunsetOn is no calendar date'],
    [{ id: 'Patterns V0' }, 'the id is no short name'],
    [{ subject: 'GET /v0/patterns\nBcc: everybody' }, 'subject is not one line'],
    [{ replacement: '' }, 'replacement is not one line'],
    [{ documentation: 'http://example.com' }, 'documentation is no https address'],
    [{ documentation: 'https://example.com/>; rel="x"' }, 'documentation is no https address'],
  ])('refuses %j', (change, expected) => {
    expect(refusal(change)).toContain(expected);
  });

  it('names every fault at once, and an id that is taken', () => {
    const text = refusal({}, { sunsetOn: '2027-02-01', subject: '' });
    expect(text).toContain('the id is taken');
    expect(text).toContain('less than 90 days');
    expect(text).toContain('subject');
  });

  it('is announced from its day until the day before it ends', () => {
    const days = ['2027-01-09', '2027-01-10', '2027-04-09', '2027-04-10'];
    expect(days.map((day) => isAnnounced(entry, day))).toEqual([false, true, true, false]);
  });

  it('begins its days in UTC', () => {
    expect(startOfDay('2027-01-10')?.getTime()).toBe(Date.UTC(2027, 0, 10));
  });
});
