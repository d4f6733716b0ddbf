/** A legal event; give what matters to the test. `undefined` leaves a field out. */
export function anEvent(parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const event: Record<string, unknown> = {
    channel: 'email',
    sequence_step: 0,
    recipient_id: 'prospect-1',
    sent_at: '2026-06-01T09:30:00Z',
    outcome_at: '2026-06-08T09:30:00Z',
    outcome: 'no_response',
    ...parts,
  };
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
}

export function jsonBody(...events: object[]): Buffer {
  return Buffer.from(JSON.stringify({ events }));
}
