import type { SystemScope, SystemSettings } from './system-scope';

/** @param settings - what policies are to grant by, e.g. { 'app.key_id': … }; without any, what the login may see anyway */
export function mintSystemScope(settings: SystemSettings = {}): SystemScope {
  return { settings } as SystemScope;
}
