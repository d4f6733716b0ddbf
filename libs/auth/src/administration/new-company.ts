import { AppError } from '@outcomes/contracts';

/** Among them what ends a line or commands a terminal. */
export const CONTROL = /\p{Cc}/u;
const PORTAL_ID = /^[\x21-\x7e]{1,128}$/;

export interface NewCompany {
  readonly name: string;
  /** IANA name; UTC where not given. */
  readonly timeZone?: string;
  /** What X-Portal-Id says for this company. */
  readonly portalId?: string;
  /** E-mail address of whoever is told what concerns its keys. */
  readonly contact?: string;
}

export interface CreatedCompany {
  readonly companyId: string;
  readonly name: string;
  /** Its first key. */
  readonly keyId: string;
  /** The whole key. Show it once, store it nowhere. */
  readonly apiKey: string;
  /** When that key does. */
  readonly expiresAt: Date;
}

export interface CompanyDescription {
  readonly companyId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly portalId: string | null;
  readonly createdAt: Date;
}

/** @throws AppError INVALID_PARAMETER naming the field */
export function validatedCompany({ name, timeZone = 'UTC', portalId }: NewCompany) {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > 200 || CONTROL.test(trimmed)) {
    throw invalidParameter('name', 'A name has 1 to 200 characters, and no control characters.');
  }
  if (!isTimeZone(timeZone))
    throw invalidParameter('timeZone', 'timeZone is an IANA name, e.g. Europe/Berlin.');
  if (portalId !== undefined && !PORTAL_ID.test(portalId)) {
    throw invalidParameter('portalId', 'A portal id has 1 to 128 visible ASCII characters.');
  }
  return { name: trimmed, timeZone, portalId: portalId ?? null };
}

function isTimeZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Offsets such as +02:00 are no names: they know no summer time.
    return /^[A-Za-z]/.test(timeZone);
  } catch {
    return false;
  }
}

export function invalidParameter(parameter: string, message: string): AppError {
  return new AppError('INVALID_PARAMETER', { parameter }, { message });
}
