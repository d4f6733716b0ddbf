import type { SourceProfile } from '@outcomes/source-profiles';
import type { TenantScope } from '@outcomes/tenancy';
import type { SourceSecrets } from './delivery-proof';

/** A receiver: what one tool delivers for one company. */
export interface Source {
  readonly scope: TenantScope;
  readonly sourceId: string;
  readonly profile: SourceProfile;
  /** How the tool proves a delivery. */
  readonly webhook: NonNullable<SourceProfile['webhook']>;
  readonly secrets: SourceSecrets;
  /** The tool's id of the campaign, where deliveries do not say. */
  readonly campaign: string | undefined;
  /** IANA zone of times that the tool writes without one. */
  readonly timeZone: string | undefined;
  /** Zero-based steps by the tool's id of them. */
  readonly steps: Readonly<Record<string, number>>;
}

/** Public half of an address: names tenant and profile, proves nothing. */
export const SOURCE_ID = /^src_[0-9A-Za-z]{22}$/;

/** Deliveries come late at times; up to this long before the last one everything is taken to be here. */
export const OBSERVED_AFTER_MS = 15 * 60_000;
/** How long what could not be made an event is kept. */
export const HELD_DAYS = 30;
/** Records that a source may have held; what would be held beyond is refused, so that the tool sends it again. */
export const MAX_HELD = 50_000;
/** Facts of a source that are counted while they wait for their message: beyond that the number says nothing more. */
export const MAX_WAITING = 100_000;
/** Names of types that are counted one by one; all others together. */
export const MAX_TYPES = 50;
/** Under which name all further types are counted. */
export const OTHER_TYPES = 'other';
/** How long the secret before a rotation is taken. */
export const ROTATION_DAYS = 7;
