import { FileHistory, mapRecord, noteRecord, profileOf } from '@outcomes/source-profiles';
import { EXAMPLES } from '@outcomes/source-profiles/testing';
import { checkEvent } from './event-rules';

const NOW = Date.UTC(2026, 1, 15);

describe('events that profiles of sources make', () => {
  it.each(EXAMPLES.map((example) => [`${example.tool}, ${example.route}`, example] as const))(
    'are what the contract takes: %s',
    (_name, { tool, route: name, records, context }) => {
      const route = profileOf(tool)?.routes.find((one) => one.name === name);
      const known = { tool, ...context, history: new FileHistory() };
      records.forEach((record, row) => route && noteRecord(route, record, known, row));
      const mapped = records.map((record, row) => route && mapRecord(route, record, known, row));
      const events = mapped.flatMap((one) =>
        one && 'events' in one ? one.events.map(({ event }) => event) : [],
      );
      const isToldElsewhere = records.length === 1 && name === 'e-mails that came in';
      expect(events.length > 0).toBe(!isToldElsewhere);
      expect(events.map((event) => checkEvent(event, NOW).faults)).toEqual(events.map(() => undefined));
    },
  );

  it('would be refused without what their message is named by', () => {
    const [example] = EXAMPLES;
    const route = profileOf(example?.tool ?? '')?.routes[0];
    const [record] = example?.records.slice(2) ?? [];
    const mapped = route && mapRecord(route, record ?? {}, { tool: example?.tool ?? '' });
    const [made] = mapped && 'events' in mapped ? mapped.events : [];
    expect(made?.event.outcome).toBe('responded');
    expect(checkEvent({ ...made?.event, message_ref: undefined }, NOW).faults).toMatchObject([
      { field: 'sent_at' },
    ]);
  });
});
