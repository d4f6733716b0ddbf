import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/;
const IPV6_IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;
const ZONE = /%.*$/;

/**
 * One name for one sender, whatever way its address is written: without port and zone, IPv4 as IPv4, and of IPv6 the
 * /64, which is what a sender has and may choose its addresses from.
 * @returns what is no address as it is
 */
export function sourceAddress(written: string): string {
  const bare = (IPV4_WITH_PORT.exec(written) ?? IPV6_IN_BRACKETS.exec(written))?.[1] ?? written;
  const address = bare.replace(ZONE, '');
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : written;
  // Node writes the shortest form, an IPv4 address within as IPv4.
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  return MAPPED_IPV4.exec(short)?.[1] ?? `${networkOf(short)}::/64`;
}

/** The first four groups of an IPv6 address in its shortest form. */
function networkOf(short: string): string {
  const [left = '', right] = short.split('::');
  const before = left === '' ? [] : left.split(':');
  if (right === undefined) return before.slice(0, 4).join(':');
  const after = right === '' ? [] : right.split(':');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/**
 * Who sent a request, as far as can be believed: the address of the connection, or what the nearest trusted proxies
 * say of it. Whatever stands left of that in X-Forwarded-For is anybody's text.
 * @param trustedProxies - how many reverse proxies stand in front
 */
export function senderOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? '';
  const told = trustedProxies === 0 ? undefined : headers['x-forwarded-for'];
  if (told === undefined) return own;
  const hops = String(told).split(',');
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim() || own;
}
