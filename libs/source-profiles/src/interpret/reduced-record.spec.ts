import { detectByRecord } from '../detect/detect-route';
import { profileOf } from '../profiles/known-profiles';
import { EXAMPLES } from '../testing';
import { mapRecord } from './map-record';
import { hashInHeldAddress, reduceRecord } from './reduced-record';

const WEBHOOKS = EXAMPLES.filter(({ tool, route }) =>
  profileOf(tool)?.routes.some(({ name, media }) => name === route && media.includes('webhook')),
);

describe('what is left of a record that is held', () => {
  it.each(WEBHOOKS.map((example) => [`${example.tool}, ${example.route}`, example] as const))(
    'maps to the same events, but for the address and the subject: %s',
    (_name, { tool, records, context }) => {
      const profile = profileOf(tool);
      if (!profile) throw new Error(tool);
      let mapped = 0;
      for (const record of records) {
        const { fields } = reduceRecord(profile, JSON.parse(JSON.stringify(record)) as typeof record);
        const [whole, reduced] = [record, fields].map((one, at) => {
          const detected = detectByRecord([profile], one);
          if (!('found' in detected)) return undefined;
          return mapRecord(detected.found.route, one, { tool, ...context, isReduced: at === 1 });
        });
        const bare = (made: typeof whole) =>
          made && 'events' in made
            ? made.events.map(({ identity, event: { recipient_email, subject, ...event } }) => [
                identity,
                event,
              ])
            : made;
        expect(bare(reduced)).toEqual(bare(whole));
        if (whole && 'events' in whole) mapped += whole.events.length;
      }
      expect(mapped).toBeGreaterThan(0);
    },
  );

  it.each(WEBHOOKS.map((example) => [`${example.tool}, ${example.route}`, example] as const))(
    'holds no address, subject, text or secret: %s',
    (_name, { tool, records }) => {
      const profile = profileOf(tool);
      if (!profile) throw new Error(tool);
      const left = JSON.stringify(records.map((record) => reduceRecord(profile, record)));
      expect(JSON.stringify(records)).toMatch(/ada@example\.com|"id":7|prospect|recipient/i);
      expect(left).not.toMatch(/(?<!held-[0-9a-f]{32})@|A question|Never leaves/i);
    },
  );

  it('names everybody whose address was in it', () => {
    const profile = profileOf('lemlist');
    if (!profile) throw new Error('lemlist');
    const { fields, recipientIds } = reduceRecord(profile, {
      type: 'new',
      leadEmail: ' Ada@Example.com',
      text: 'x',
    });
    expect(recipientIds).toEqual([`em_${hashInHeldAddress(String(fields.leadEmail))}`]);
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(['leadEmail', 'type']));
    expect(fields).not.toHaveProperty('text');
  });

  it('is not taken for an address of somebody else where it comes from outside', () => {
    const profile = profileOf('lemlist');
    const route = profile?.routes[0];
    if (!profile || !route) throw new Error('lemlist');
    const forged = reduceRecord(profile, { leadEmail: 'ada@example.com' }).fields.leadEmail;
    const record = {
      type: 'emailsSent',
      leadEmail: forged,
      campaignId: 'c',
      sequenceStep: 0,
      createdAt: '2026-01-05T09:00:00Z',
    };
    const idOf = (isReduced: boolean) => {
      const made = mapRecord(route, record, { tool: 'lemlist', isReduced });
      return 'events' in made ? made.events[0]?.event.recipient_id : undefined;
    };
    expect(idOf(true)).toBe(`em_${hashInHeldAddress(String(forged))}`);
    expect(idOf(false)).not.toBe(idOf(true));
  });
});
