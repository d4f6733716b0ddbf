/** What access tokens are taken, of one OAuth 2.1 issuer. */
export interface AccessTokenSettings {
  /** As the `iss` claim has it, to the letter. */
  readonly issuer: string;
  /** Where the issuer publishes its keys (RFC 7517). */
  readonly jwksUrl: string;
  /** The `aud` claim: the identifier of this resource (RFC 8707). A token for another resource is refused. */
  readonly audience: string;
  /** Claim that names the company. */
  readonly tenantClaim: string;
  /** Scope that gives `analytics_read`; no scope gives anything else. */
  readonly readScope: string;
}

export const ACCESS_TOKEN_SETTINGS = Symbol('AccessTokenSettings');

/** Signatures that are taken: asymmetric ones. With HMAC, whoever can verify could sign. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
