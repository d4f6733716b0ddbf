import { AppError } from '@outcomes/contracts';
import type { PresentedCredential } from './principal';

const PLAIN = /^Bearer [!-~]+$/;
const PLAIN_LENGTH = 'Bearer '.length;

/**
 * Finds the one token that a request presents.
 * @throws AppError missing_token, CONFLICTING_CREDENTIALS, or invalid_token for a scheme other than Bearer
 */
export function presentedToken({ authorization = '', apiKey = '' }: PresentedCredential): string {
  // What nearly every request looks like, without taking it apart.
  if (apiKey === '' && PLAIN.test(authorization)) return authorization.slice(PLAIN_LENGTH);
  const header = authorization.trim();
  const [scheme = '', ...rest] = header.split(/\s+/);
  const bearer = scheme.toLowerCase() === 'bearer' ? rest.join(' ') : '';
  if (bearer !== '' && apiKey !== '' && bearer !== apiKey) throw new AppError('CONFLICTING_CREDENTIALS');
  const token = bearer || apiKey;
  if (token !== '') return token;
  if (header !== '' && scheme.toLowerCase() !== 'bearer') throw new AppError('invalid_token');
  throw new AppError('missing_token');
}
