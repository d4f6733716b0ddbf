import type { Permission } from '@outcomes/contracts';
import type { Principal } from './principal';

type Held = Pick<Principal, 'permissions' | 'bounds'>;

/**
 * Whether a proven credential may do over a surface what a permission is for. Answers over REST are those of the
 * tools, so a key that is bound to some tools gets none of them there.
 */
export function permits(
  { permissions, bounds }: Held,
  permission: Permission,
  over: 'rest' | 'mcp',
): boolean {
  if (!permissions.includes(permission)) return false;
  if (permission !== 'analytics_read') return true;
  return over === 'mcp' ? bounds.purpose !== 'read' : bounds.tools === null;
}

/** Whether it may call this tool, where it may read over MCP at all. */
export function mayCall({ bounds }: Pick<Held, 'bounds'>, tool: string): boolean {
  return bounds.tools === null || bounds.tools.includes(tool);
}
