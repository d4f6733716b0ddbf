/** Why an endpoint is not taken for who it says it is. Nothing has been sent to it by then. */
export type CertificateFault =
  'CERTIFICATE_NOT_TRUSTED' | 'CERTIFICATE_OF_ANOTHER_HOST' | 'CERTIFICATE_NOT_VALID_NOW';

/** What OpenSSL says of a chain, by the names that Node.js has for it. */
const FAULTS: ReadonlyMap<unknown, CertificateFault> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERTIFICATE_OF_ANOTHER_HOST'],
  ['HOSTNAME_MISMATCH', 'CERTIFICATE_OF_ANOTHER_HOST'],
  ['CERT_HAS_EXPIRED', 'CERTIFICATE_NOT_VALID_NOW'],
  ['CERT_NOT_YET_VALID', 'CERTIFICATE_NOT_VALID_NOW'],
  ...[
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT'],
    ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_CHAIN_TOO_LONG'],
    ...['CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED', 'CERT_REJECTED', 'CERT_REVOKED', 'INVALID_CA'],
    ...['INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED'],
  ].map((code) => [code, 'CERTIFICATE_NOT_TRUSTED'] as const),
]);

/** @returns undefined where a connection failed for another reason */
export function certificateFault(error: unknown): CertificateFault | undefined {
  return error instanceof Error && 'code' in error ? FAULTS.get(error.code) : undefined;
}
