import { hash } from 'node:crypto';

/**
 * Whom a question is about: a recipient_id, an e-mail address, or both where a caller uses addresses as ids. Of an
 * address only the hash is here.
 */
export interface Contact {
  readonly recipientId: string | null;
  /** SHA-256 of the recipient_id, hexadecimal: what outlives its events. */
  readonly recipientSha: string | null;
  readonly addressHash: string | null;
}

/** Of outcome_events: the address that an event names, be it as recipient_email or, of an answer, as its recipient_id. */
export const ADDRESS_OF_EVENT = 'coalesce(recipient_hash, id_address_hash)';

/** A recipient_id that was made of an address: digits of the SHA-256 of that, and so of its hash. */
const NAME_OF_ADDRESS = /^em_([0-9a-f]{16})[0-9a-f]{16}$/;

/**
 * The contact that a caller names. Whatever looks like an e-mail address is taken for one as well: trimmed, in lower
 * case and hashed, as addresses of events are. So is what tools' records name an address by, which may be one that no
 * event can carry.
 * @param contactId - recipient_id or e-mail address
 */
export function contactOf(contactId: string): Contact {
  return {
    recipientId: contactId,
    recipientSha: recipientShaOf(contactId),
    addressHash: addressHashNamedBy(contactId),
  };
}

/** Hash of the address that a recipient_id is or names; null where it names none. */
export function addressHashNamedBy(contactId: string): string | null {
  return contactId.includes('@') ? addressHashOf(contactId) : (NAME_OF_ADDRESS.exec(contactId)?.[1] ?? null);
}

/** First 16 hexadecimal characters of the SHA-256 of an address, trimmed and in lower case. */
export function addressHashOf(address: string): string {
  return hash('sha256', address.trim().toLowerCase()).slice(0, 16);
}

/** SHA-256 of a recipient_id, hexadecimal. */
export function recipientShaOf(recipientId: string): string {
  return hash('sha256', recipientId);
}
