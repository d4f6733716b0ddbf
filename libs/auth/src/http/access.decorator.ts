import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { AccountPermission, Permission } from '@outcomes/contracts';

const ACCESS_RULE = 'outcomes:access-rule';

/**
 * Who may call a handler: anybody, any valid credential, or one that holds a permission. Visitors are anybody too, and
 * are let in one by one: where they come from is looked at, and they pay with the window of their address.
 */
export type AccessRule = 'public' | 'visitor' | 'guarded' | Permission | AccountPermission;

/** The handler is for credentials that hold this permission. */
export const RequirePermission = (permission: Permission | AccountPermission) =>
  SetMetadata(ACCESS_RULE, permission);

/** The handler is for every valid credential. It is also what no decorator means. */
export const Guarded = () => SetMetadata(ACCESS_RULE, 'guarded' satisfies AccessRule);

/** The handler is for everybody, on purpose. */
export const Public = () => SetMetadata(ACCESS_RULE, 'public' satisfies AccessRule);

/** The handler is for whoever opens a page, signed in or not. */
export const ForVisitors = () => SetMetadata(ACCESS_RULE, 'visitor' satisfies AccessRule);

/** What the decorators of a handler and its class say; the handler's own wins. */
export function accessRuleOf(
  reflector: Reflector,
  targets: Parameters<Reflector['getAllAndOverride']>[1],
): AccessRule {
  return reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets) ?? 'guarded';
}
