import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Like Node's lookup, it calls back with an error alone, or with null and addresses. */
export type NameLookup = (
  host: string,
  answered: (error: Error | null, addresses?: readonly LookupAddress[]) => void,
) => void;

const PATIENCE_MS = 5_000;
const RETRANSMISSIONS = { timeout: 2_000, tries: 2 };

/** Names that lead to this machine on every one (RFC 6761): no name server need know of them. */
const LOOPBACK = /(^|\.)localhost\.?$/i;
const LOOPBACK_ADDRESSES: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks name servers for A and AAAA itself. The system's lookup holds one of a process's four threads until it gives up,
 * tens of seconds where a customer's name servers are silent, and files and everybody else's names wait for those threads.
 * A resolver of its own for each name: no question waits for another's, and giving up ends nobody else's. The system's
 * hosts file and search domains are not read: what may be sent to has a public name.
 * @param servers - name servers other than the system's, for tests
 */
export function publicNames(servers?: readonly string[], patienceMs = PATIENCE_MS): NameLookup {
  return (host, answered) => {
    if (LOOPBACK.test(host)) return answered(null, LOOPBACK_ADDRESSES);
    const resolver = new Resolver(RETRANSMISSIONS);
    if (servers) resolver.setServers(servers);
    const patience = setTimeout(() => resolver.cancel(), patienceMs);
    void Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]).then(([four, six]) => {
      clearTimeout(patience);
      const addresses = [...addressesOf(four, 4), ...addressesOf(six, 6)];
      // One kind that is not answered keeps nobody from the other: many have no AAAA, and some drop the question.
      if (addresses.length === 0 && four.status === 'rejected') answered(four.reason as Error);
      else answered(null, addresses);
    });
  };
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
