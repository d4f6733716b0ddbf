import { z } from '@outcomes/platform';
import { invalidParameter } from './new-company';

/** Longest address that SMTP carries. */
const LONGEST = 254;
const ADDRESS = z.email().max(LONGEST);

/** @throws AppError INVALID_PARAMETER */
export function validatedContact(contact: string): string {
  const trimmed = contact.trim();
  if (ADDRESS.safeParse(trimmed).success) return trimmed;
  throw invalidParameter('contact', 'contact is an e-mail address, e.g. ops@example.com.');
}
