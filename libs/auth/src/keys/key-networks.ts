import { BlockList, isIP } from 'node:net';

const CIDR = /^([^/]+)\/(\d{1,3})$/;
/** Senders are known by the /64 of their IPv6 address, so a narrower network could not be told apart. */
const LONGEST_IPV6_PREFIX = 64;
const LONGEST_IPV4_PREFIX = 32;

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** The networks from which a key may be used. */
export class KeyNetworks {
  private readonly list = new BlockList();

  /** @param networks - as `readNetwork` returns them; what is none holds no address */
  constructor(networks: readonly string[]) {
    for (const written of networks) {
      const network = parse(written);
      if (network) this.list.addSubnet(network.address, network.prefix, network.family);
    }
  }

  /** @param ip - name of a sender, as `sourceAddress` of platform makes it: IPv4, or an IPv6 /64 */
  include(ip: string): boolean {
    const address = ip.endsWith('/64') ? ip.slice(0, -'/64'.length) : ip;
    const version = isIP(address);
    return version !== 0 && this.list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/**
 * @param written - e.g. 203.0.113.0/24, 203.0.113.7 or 2001:db8::/48
 * @returns with its prefix, or undefined where it is no network that senders can be told by
 */
export function readNetwork(written: string): string | undefined {
  const network = parse(written.trim().toLowerCase());
  return network && `${network.address}/${network.prefix}`;
}

function parse(written: string): Network | undefined {
  const [, address = written, digits] = CIDR.exec(written) ?? [];
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  const longest = version === 4 ? LONGEST_IPV4_PREFIX : LONGEST_IPV6_PREFIX;
  const prefix = digits === undefined ? (version === 4 ? LONGEST_IPV4_PREFIX : Infinity) : Number(digits);
  return prefix <= longest ? { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}
