import type { SystemScope, SystemSettings } from './system-scope';

/** @param settings - what policies check, e.g. { 'app.key_id': … }; without any, the work sees what the login may see anyway */
export function mintSystemScope(settings: SystemSettings = {}): SystemScope {
  return { settings } as SystemScope;
}
