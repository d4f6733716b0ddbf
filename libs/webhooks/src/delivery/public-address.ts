import { BlockList, isIP } from 'node:net';

/** Not for the public Internet, by the registries of IANA (RFC 6890 and what has been added to them since). */
const RESERVED_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Inside the global unicast addresses; among them those that carry an IPv4 address elsewhere (Teredo, 6to4). */
const RESERVED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
/** All that is assigned for the public Internet. What lies outside of it (mapped, NAT64, local, multicast) is not. */
const GLOBAL_IPV6 = ['2000::/3'];

const reserved = {
  ipv4: listOf(RESERVED_IPV4, 'ipv4'),
  ipv6: listOf(RESERVED_IPV6, 'ipv6'),
};
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6');

/** Whether an address, as Node writes it, belongs to a machine on the public Internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !reserved.ipv4.check(address, 'ipv4');
  // An address with a zone is local to a link; isIP takes it, and no list has it.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !reserved.ipv6.check(address, 'ipv6');
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
