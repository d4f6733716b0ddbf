import { readFileSync } from 'node:fs';
import tls from 'node:tls';

/** @returns the paths of a list that is separated by commas; blanks and empty ones dropped */
export function filesIn(list: string): string[] {
  return list
    .split(',')
    .map((file) => file.trim())
    .filter((file) => file !== '');
}

/**
 * Trusts further certificate authorities in this process, beside those that Node.js trusts: Postgres, Redis and whatever
 * else is connected to afterwards may then have a certificate of a private one.
 * @param files - paths of PEM files
 * @throws Error where a file cannot be read or holds no certificate, or where Node.js is older than 22.19
 */
export function trustAuthorities(files: readonly string[]): void {
  if (files.length === 0) return;
  if (typeof tls.setDefaultCACertificates !== 'function') {
    throw new Error(
      'TRUSTED_CA_FILES needs Node.js 22.19 or newer; use NODE_EXTRA_CA_CERTS, which takes one file',
    );
  }
  const certificates = files.flatMap((file) => {
    const found = readFileSync(file, 'utf8').match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    if (!found) throw new Error(`${file} holds no certificate`);
    return found;
  });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...certificates]);
}
