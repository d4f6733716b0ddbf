import type { ClientRequest, IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { certificateFault, type CertificateFault } from './certificate-fault';
import { isPublicAddress } from './public-address';
import { publicNames, type NameLookup } from './public-names';
import { hostOf, targetOf, type TargetFault } from './target';

/** What became of an attempt. */
export type DeliveryAttempt =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly fault: TargetFault | CertificateFault | 'TIMEOUT' | 'NO_CONNECTION' };

/** The world that messages go out to; other than this one in tests alone. */
export interface Outside {
  readonly request: (options: RequestOptions, answered: (answer: IncomingMessage) => void) => ClientRequest;
  readonly lookup: NameLookup;
  readonly isPublic: (address: string) => boolean;
  /** For all of an attempt: name, connection, encryption, answer. */
  readonly timeoutMs: number;
}

export const OUTSIDE: Outside = {
  request,
  lookup: publicNames(),
  isPublic: isPublicAddress,
  timeoutMs: 15_000,
};

/** Why a connection was not made, told through Node's own callbacks. */
class Unconnected extends Error {
  constructor(readonly isPrivate = false) {
    super();
  }
}

/**
 * Posts to an address that a customer has named, and to no machine that is not public. The addresses that the connection
 * goes to are those that were judged: they are judged inside the connection's own question for the name, so that a name
 * that answers otherwise a moment later changes nothing. Redirects are not followed, proxies not used, and of the answer
 * nothing but its head is read.
 */
export class HttpsPoster {
  constructor(private readonly outside: Outside = OUTSIDE) {}

  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<DeliveryAttempt> {
    const { isPublic, timeoutMs } = this.outside;
    const target = targetOf(url, isPublic);
    if (typeof target === 'string') return { fault: target };
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await this.exchange(target, headers, body, deadline);
      const { statusCode = 0, headers: answered } = answer;
      answer.destroy();
      return { status: statusCode, retryAfter: answered['retry-after'] };
    } catch (error) {
      if (error instanceof Unconnected && error.isPrivate) return { fault: 'TARGET_NOT_PUBLIC' };
      return { fault: deadline.aborted ? 'TIMEOUT' : (certificateFault(error) ?? 'NO_CONNECTION') };
    }
  }

  private exchange(
    target: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((answered, failed) => {
      const sent = this.outside.request(
        {
          ...{ host: hostOf(target), port: target.port === '' ? 443 : Number(target.port) },
          ...{ path: `${target.pathname}${target.search}`, method: 'POST', signal },
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          // A connection of its own, which no environment variable leads through a proxy.
          agent: false,
          lookup: this.judgedLookup(),
        },
        answered,
      );
      sent.on('error', failed);
      // Also without an error, as after an upgrade that nobody asked for.
      sent.on('close', () => failed(new Unconnected()));
      sent.end(body);
    });
  }

  /** One address that is not public is enough: who mixes them wants to be asked until the other one comes. */
  private judgedLookup(): LookupFunction {
    return (host, { all }, answered) => {
      this.outside.lookup(host, (error, addresses) => {
        // Whatever is thrown here reaches nobody who could catch it, and ends the process.
        const [first] = addresses ?? [];
        if (error || !addresses || !first) return answered(error ?? new Unconnected(), '', 0);
        if (!addresses.every(({ address }) => this.outside.isPublic(address)))
          return answered(new Unconnected(true), '', 0);
        if (all === true) answered(null, [...addresses]);
        else answered(null, first.address, first.family);
      });
    };
  }
}
