import { isIP } from 'node:net';

/** Why nothing is sent to an address. */
export type TargetFault =
  'TARGET_NOT_HTTPS' | 'TARGET_PORT' | 'TARGET_HAS_PASSWORD' | 'TARGET_NOT_PUBLIC' | 'TARGET_NO_URL';

const PORTS = ['', '443', '8443'];
const LONGEST = 2_048;

/** What may be wrong with an address, in plain words. */
export const TARGET_FAULTS: Readonly<Record<TargetFault, string>> = {
  TARGET_NO_URL: `Give a URL of up to ${LONGEST} characters.`,
  TARGET_NOT_HTTPS: 'Give an https:// address.',
  TARGET_PORT: 'Only ports 443 and 8443 are sent to.',
  TARGET_HAS_PASSWORD:
    'Leave user and password out of the address; deliveries are proven by their signature.',
  TARGET_NOT_PUBLIC: 'Only machines on the public Internet are sent to.',
};

/**
 * Judges an address as far as it can be without asking for the name; every address of the name is judged by the
 * connection itself.
 * @returns the parsed address, or what is wrong with it
 */
export function targetOf(url: string, isPublic: (address: string) => boolean): URL | TargetFault {
  if (url.length > LONGEST || !URL.canParse(url)) return 'TARGET_NO_URL';
  const target = new URL(url);
  if (target.protocol !== 'https:') return 'TARGET_NOT_HTTPS';
  if (!PORTS.includes(target.port)) return 'TARGET_PORT';
  if (target.username !== '' || target.password !== '') return 'TARGET_HAS_PASSWORD';
  const host = hostOf(target);
  // A connection asks nobody about a host that is an address, however it is written: the parser has made it plain.
  if (isIP(host) !== 0 && !isPublic(host)) return 'TARGET_NOT_PUBLIC';
  return target;
}

/** Name or address without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
