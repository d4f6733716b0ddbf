// Brings the reflection that x509 asks for.
import '@nestjs/common';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

/** PEM texts. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority that nobody knows but who is told of it. */
export class PrivateAuthority {
  private constructor(
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly root: x509.X509Certificate,
  ) {}

  static async make(): Promise<PrivateAuthority> {
    const keys = await newKeys();
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      ...{ serialNumber: '01', name: 'CN=A private authority', keys, signingAlgorithm: ALGORITHM },
      ...validFor(HOUR_MS),
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new PrivateAuthority(keys, root);
  }

  get pem(): string {
    return this.root.toString('pem');
  }

  /** @param forMs - how long it is valid from an hour ago on; less than an hour makes one that has expired */
  async certify(host: string, forMs = 2 * HOUR_MS): Promise<Certificate> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      ...{ serialNumber: '02', subject: `CN=${host}`, issuer: this.root.subject },
      ...{ publicKey: keys.publicKey, signingKey: this.keys.privateKey, signingAlgorithm: ALGORITHM },
      ...validFor(forMs - HOUR_MS),
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') };
  }
}

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

const validFor = (ms: number) => ({
  notBefore: new Date(Date.now() - HOUR_MS),
  notAfter: new Date(Date.now() + ms),
});
