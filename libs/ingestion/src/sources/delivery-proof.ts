import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { SourceProfile } from '@outcomes/source-profiles';

/** How a delivery says who sent it. */
export interface PresentedProof {
  /** Last part of the path, where the tool neither signs nor sets headers. */
  readonly token?: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it arrived: a parsed and written body is another one. */
  readonly body: Buffer;
}

/** What a source keeps: two of each for as long as a rotation lasts. */
export interface SourceSecrets {
  /** SHA-256 of tokens, for tools whose deliveries carry the secret itself. */
  readonly tokenHashes: readonly Buffer[];
  /** Secrets that tools sign with, decrypted. */
  readonly signingSecrets: readonly string[];
}

const ALGORITHMS = { 'hmac-sha256-hex': 'sha256', 'hmac-sha1-hex': 'sha1' } as const;

/**
 * Whether a delivery is of its source. Everything that is kept is compared, in constant time, whatever was found before,
 * so that the time of an answer tells nothing of how near a guess was or of which secret is the newer.
 */
export function isProven(
  webhook: NonNullable<SourceProfile['webhook']>,
  presented: PresentedProof,
  secrets: SourceSecrets,
): boolean {
  const { authentication, header = '' } = webhook;
  const sent = presented.headers[header];
  const value = typeof sent === 'string' ? sent : undefined;
  if (authentication === 'path') return isToken(presented.token, secrets.tokenHashes);
  if (authentication === 'header') return isToken(value, secrets.tokenHashes);
  const signature = /^(?:sha(?:1|256)=)?([0-9a-f]+)$/i.exec(value ?? '')?.[1] ?? '';
  const given = Buffer.from(signature.toLowerCase());
  const algorithm = ALGORITHMS[authentication];
  return someOf(secrets.signingSecrets, (secret) => {
    const made = Buffer.from(createHmac(algorithm, secret).update(presented.body).digest('hex'));
    return made.length === given.length && timingSafeEqual(made, given);
  });
}

function isToken(token: string | undefined, hashes: readonly Buffer[]): boolean {
  const presented = hash('sha256', token ?? '', 'buffer');
  return (
    someOf(hashes, (known) => known.length === presented.length && timingSafeEqual(known, presented)) &&
    token !== undefined
  );
}

/** Without ending at the first that holds. */
function someOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): boolean {
  return items.map(holds).includes(true);
}
