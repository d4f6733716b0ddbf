import { KEY_PURPOSES, PERMISSIONS, type KeyPurpose, type Permission } from '@outcomes/contracts';
import { mayCall, permits } from './permits';

const held = (purpose: KeyPurpose | null, tools: readonly string[] | null = null) => ({
  permissions: purpose === null ? PERMISSIONS : (KEY_PURPOSES[purpose] as readonly Permission[]),
  bounds: { purpose, tools },
});

describe('what a key may do', () => {
  it.each([
    [null, [true, true, true, true]],
    ['agent', [true, true, false, false]],
    ['read', [true, false, false, false]],
    ['ingest', [false, false, true, true]],
  ] as const)('made for %s: read over REST, over MCP, write, delete: %j', (purpose, expected) => {
    const key = held(purpose);
    expect([
      permits(key, 'analytics_read', 'rest'),
      permits(key, 'analytics_read', 'mcp'),
      permits(key, 'events_write', 'rest'),
      permits(key, 'events_delete', 'rest'),
    ]).toEqual(expected);
  });

  it('is nothing but its tools where it is bound to some, not the same answers over REST', () => {
    const key = held('agent', ['get_drift_state']);
    expect(permits(key, 'analytics_read', 'rest')).toBe(false);
    expect(permits(key, 'analytics_read', 'mcp')).toBe(true);
    expect([mayCall(key, 'get_drift_state'), mayCall(key, 'get_bandit_state')]).toEqual([true, false]);
  });

  it('is every tool otherwise', () => expect(mayCall(held(null), 'get_bandit_state')).toBe(true));
});
