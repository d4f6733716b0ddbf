import { PROFILES, profileOf } from '@outcomes/source-profiles';
import { noSentEvents } from './no-sent-events';

const MADE = new Date('2026-01-02T08:00:00Z');
const hint = (tool: string, ...types: string[]) =>
  noSentEvents(
    tool,
    MADE,
    types.map((type) => ({ type })),
  );

describe('that nothing of what was sent came', () => {
  it('is told with what came, since when, and what to switch on', () => {
    expect(hint('smartlead', 'EMAIL_REPLY', 'EMAIL_BOUNCE')).toEqual({
      since: '2026-01-02T08:00:00.000Z',
      types: ['EMAIL_SENT', 'FIRST_EMAIL_SENT'],
      message:
        'Smartlead has delivered EMAIL_BOUNCE and EMAIL_REPLY, but nothing of what was sent since this source was made on ' +
        '2026-01-02. Without it replies wait for their message or stand alone, and rates come out wrong. ' +
        'Switch on EMAIL_SENT or FIRST_EMAIL_SENT in its webhook, and import what was sent before.',
    });
  });

  it.each([
    [['EMAIL_REPLY'], /^Smartlead has delivered EMAIL_REPLY, but nothing/],
    [
      ['EMAIL_REPLY', 'EMAIL_OPEN', 'EMAIL_BOUNCE'],
      /^Smartlead has delivered EMAIL_\w+, EMAIL_\w+ and EMAIL_\w+, but/,
    ],
  ])('names %j', (types, said) => {
    expect(hint('smartlead', ...types)?.message).toMatch(said);
  });

  it.each([
    ['what was sent came', ['EMAIL_REPLY', 'EMAIL_SENT']],
    ['it came under another name, in whatever case', ['EMAIL_REPLY', 'first_email_sent']],
    ['so many types came that it may be among the others', ['EMAIL_REPLY', 'other']],
    ['nothing came', []],
    ['nothing came that tells of a message', ['LEAD_CATEGORY_UPDATED', 'unnamed']],
  ])('is not told where %s', (_name, types) => {
    expect(hint('smartlead', ...types)).toBeNull();
  });

  it('is not told of a tool whose records all say what was sent, nor of one that nobody knows', () => {
    expect(hint('salesloft', 'sent', 'bounced')).toBeNull();
    expect(hint('carrier-pigeon', 'EMAIL_REPLY')).toBeNull();
  });

  it.each(PROFILES.filter(({ webhook, tool }) => webhook && tool !== 'salesloft').map(({ tool }) => [tool]))(
    'can be told of %s',
    (tool) => {
      const others = profileOf(tool)?.routes.flatMap(({ facts = [] }) =>
        facts.flatMap(({ tells, when }) => (tells === 'bounced' && when && 'in' in when ? when.values : [])),
      );
      expect(hint(tool, ...(others ?? []))?.types.length).toBeGreaterThan(0);
    },
  );
});
