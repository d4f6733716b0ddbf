import { mapRecord, profileOf } from '@outcomes/source-profiles';
import { EXAMPLES, mapExample } from '@outcomes/source-profiles/testing';
import { checkEvent } from './event-rules';

const NOW = Date.UTC(2026, 1, 15);

describe('events that profiles of sources make', () => {
  it.each(EXAMPLES.map((example) => [`${example.tool}, ${example.route}`, example] as const))(
    'are what the contract takes: %s',
    (_name, example) => {
      const events = mapExample(example).flatMap((mapped) =>
        'events' in mapped ? mapped.events.map(({ event }) => event) : [],
      );
      // What begins otherwise is of a record that tells nothing, or that is refused.
      const told = example.becomes.filter((words) => /^[a-z]/.test(words));
      expect(events).toHaveLength(told.flatMap((words) => words.split(' ')).length);
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
