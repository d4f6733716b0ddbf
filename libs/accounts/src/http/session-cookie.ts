/** Bound to this host, to its root and to secure transport by its name; browsers take http://localhost for secure. */
export const SESSION_COOKIE = '__Host-session';
/** Ties an answer of the identity provider to the browser that asked. */
export const SIGN_IN_COOKIE = '__Host-sign-in';

const FORM = /^[\w-]{43}$/;

/** @returns the value of a cookie of ours; undefined where there is none of its form */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return FORM.test(value) ? value : undefined;
  }
  return undefined;
}

/** @param maxAgeSeconds - 0 has the browser forget it */
export function setCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;
}
