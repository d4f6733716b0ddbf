import { AppError } from '@outcomes/contracts';
import { z } from '@outcomes/platform';

const ADDRESS = z.email().max(254);

/**
 * An address in the one form in which accounts are found.
 * @throws AppError INVALID_PARAMETER
 */
export function emailAddress(text: string): string {
  const address = text.trim().toLowerCase();
  if (ADDRESS.safeParse(address).success) return address;
  const message = 'email is an e-mail address, e.g. ada@example.com.';
  throw new AppError('INVALID_PARAMETER', { parameter: 'email' }, { message });
}
