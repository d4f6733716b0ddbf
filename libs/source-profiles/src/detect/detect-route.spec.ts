import { PROFILES } from '../profiles/known-profiles';
import { EXAMPLES } from '../testing';
import { detectByColumns, detectByRecord, type Detection } from './detect-route';
import { textFormOf } from './text-form';

const nameOf = (detection: Detection) =>
  'found' in detection
    ? `${detection.found.profile.tool} ${detection.found.route.name}`
    : Object.keys(detection)[0];

describe('the route of a file', () => {
  it.each(EXAMPLES.map((example) => [`${example.tool}, ${example.route}`, example] as const))(
    'is found by itself among those of all tools: %s',
    (_name, { tool, route, records }) => {
      const [record = {}] = records;
      const byColumns = route.endsWith('CSV') || route === 'statistics';
      const found = byColumns
        ? detectByColumns(PROFILES, Object.keys(record))
        : detectByRecord(PROFILES, record);
      expect(nameOf(found)).toBe(`${tool} ${route}`);
    },
  );

  it('is none where columns are missing, and the nearest says which', () => {
    const detection = detectByColumns(PROFILES, [
      'lead_email',
      'sequence_number',
      'sent_time',
      'reply_time',
      'is_bounced',
    ]);
    expect(detection).toMatchObject({
      near: [
        { profile: { tool: 'smartlead' }, route: { name: 'statistics' }, missing: ['is_unsubscribed'] },
        {},
        {},
      ],
    });
  });

  it('is not chosen between two', () => {
    const both = [
      'lead_email',
      'sequence_number',
      'sent_time',
      'reply_time',
      'is_unsubscribed',
      'is_bounced',
    ];
    const detection = detectByColumns(PROFILES, [
      ...both,
      'Timestamp',
      'Activity',
      'Lead',
      'Campaign',
      'Step',
    ]);
    expect(detection).toMatchObject({
      several: [{ profile: { tool: 'instantly' } }, { profile: { tool: 'smartlead' } }],
    });
  });

  it('may be known and of no use: counts of a campaign tell of no message', () => {
    const detection = detectByColumns(PROFILES, ['Sequence', 'People contacted', 'Replied', 'Bounced']);
    expect(detection).toMatchObject({
      found: { route: { grain: 'campaign', instead: expect.stringContaining('webhook') } },
    });
  });
});

describe('how a file is written', () => {
  const bytes = (text: string, encoding: 'utf8' | 'utf16le') => new Uint8Array(Buffer.from(text, encoding));

  it.each([
    ['a,b;c,d\n1', 'utf8', { encoding: 'utf-8', delimiter: ',' }],
    ['"a,b";c;d\n1,2,3,4', 'utf8', { encoding: 'utf-8', delimiter: ';' }],
    ['a\tb\tc\r\n1', 'utf8', { encoding: 'utf-8', delimiter: '\t' }],
    ['\uFEFFa;b\n', 'utf16le', { encoding: 'utf-16le', delimiter: ';' }],
    ['a,b\n', 'utf16le', { encoding: 'utf-16le', delimiter: ',' }],
    ['email\nada@example.com', 'utf8', { encoding: 'utf-8', delimiter: ',' }],
  ] as const)('%j in %s', (text, encoding, expected) => {
    expect(textFormOf(bytes(text, encoding))).toEqual(expected);
  });
});
