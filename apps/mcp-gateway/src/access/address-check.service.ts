import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests that reach this server under a name that is not its own, or from a web page that was not
 * invited: how a page in a browser reaches servers on the reader's machine (DNS rebinding).
 */
@Injectable()
export class AddressCheck {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;

  constructor(@Inject(GATEWAY_CONFIG) config: GatewayConfig) {
    this.hosts = new Set([...LOCAL_HOSTS, ...config.MCP_PUBLIC_HOSTS]);
    this.origins = new Set(config.MCP_ALLOWED_ORIGINS);
  }

  /** @throws AppError Forbidden */
  require({ host, origin }: IncomingHttpHeaders): void {
    if (!this.hosts.has(host ?? '') && !this.hosts.has(nameIn(host)))
      throw refused('This Host is not served here.');
    if (origin === undefined || this.origins.has(origin.toLowerCase()) || isSame(origin, host)) return;
    throw refused('Web pages of this Origin may not call this server.');
  }
}

/** A page of this very address, which is known to be ours, is no page of somebody else's. */
function isSame(origin: string, host = ''): boolean {
  return [`http://${host}`, `https://${host}`].includes(origin.toLowerCase());
}

function nameIn(host = ''): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

function refused(message: string): AppError {
  return new AppError('Forbidden', {}, { message });
}
