import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { trustAuthorities } from './trusted-authorities';

/** Made for this test; nobody has its key. */
const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBmTCCAT+gAwIBAgIUfhTeE2J+gUYYktw+kttIEv0ZNgEwCgYIKoZIzj0EAwIw
ITEfMB0GA1UEAwwWQW4gYXV0aG9yaXR5IG9mIG5vYm9keTAgFw0yNjExMjMwMzQ4
MDBaGA8yMTI2MTAzMDAzNDgwMFowITEfMB0GA1UEAwwWQW4gYXV0aG9yaXR5IG9m
IG5vYm9keTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNhzNdMCX340thcWieMc
Z/AzKPQTVjI+QBMwXT8+P/W09cXilvHAX4+OUeVE0/3BjVE8dU8CbyoqHSFo/QRE
KJijUzBRMB0GA1UdDgQWBBRWiPBGi1kFix3ccxToT17g4FRFcjAfBgNVHSMEGDAW
gBRWiPBGi1kFix3ccxToT17g4FRFcjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
BAMCA0gAMEUCIQC/1F/udNLZzbz3JFLEAZI/UvAFtPqVhF/G5lI29nZRzAIgemfn
Y/KkPEw8zIDSZ7pueGxYYYd7YheydoRIWZacO4M=
-----END CERTIFICATE-----`;

describe('trustAuthorities', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  const before = tls.getCACertificates('default');
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  afterEach(() => tls.setDefaultCACertificates(before));
  afterAll(() => rmSync(folder, { recursive: true }));

  const fingerprint = (certificate: string) => new X509Certificate(certificate).fingerprint256;
  const trusted = () => new Set(tls.getCACertificates('default').map(fingerprint));

  it('adds the certificates of every file to those that are trusted', () => {
    const earlier = trusted();
    trustAuthorities([file('one.pem', `A name\n${AUTHORITY}\n`)]);
    expect(trusted()).toEqual(new Set([...earlier, fingerprint(AUTHORITY)]));
  });

  it('changes nothing without a file', () => {
    const changed = jest.spyOn(tls, 'setDefaultCACertificates');
    trustAuthorities([]);
    expect(changed).not.toHaveBeenCalled();
    expect(trusted().has(fingerprint(AUTHORITY))).toBe(false);
  });

  it('refuses a file that is not there, or holds no certificate', () => {
    expect(() => trustAuthorities([join(folder, 'none.pem')])).toThrow('ENOENT');
    expect(() => trustAuthorities([file('key.pem', 'no certificate')])).toThrow('holds no certificate');
  });
});
