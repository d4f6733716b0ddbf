import { createHash } from 'node:crypto';
import { namedEvent } from './named-event';
import type { SourceEvent } from './source-event';

const EVENT: SourceEvent = {
  ...{ channel: 'email', sequence_step: 0, recipient_id: 'em_1', subject: 'Caf\u00e9 \ud83d' },
  ...{ sent_at: '2026-01-05T09:00:00.000Z', fact: 'sent' },
};

describe('the id of an event of a file', () => {
  it('is made of all that it says, and is one for ever', () => {
    const hex = createHash('sha256').update(JSON.stringify(EVENT)).digest('hex');
    const { event_id: id, ...said } = namedEvent(EVENT);
    expect(said).toEqual(EVENT);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    // The third group begins with the version, the fourth with the variant.
    const drawn = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(13, 16),
      hex.slice(17, 20),
      hex.slice(20, 32),
    ];
    const groups = id.split('-').map((group, place) => (place === 2 || place === 3 ? group.slice(1) : group));
    expect(groups).toEqual(drawn);
    expect(namedEvent({ ...EVENT, subject: 'Caf\u00e9' }).event_id).not.toBe(id);
  });
});
