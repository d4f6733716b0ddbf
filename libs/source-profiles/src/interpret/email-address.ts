const ATEXT = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LOCAL = new RegExp(
  `^(?:${ATEXT}(?:\\.${ATEXT})*|"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*")$`,
);
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const LITERAL = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|ipv6:[0-9a-f:.]{2,45})\]$/;

const MAX_LOCAL = 64;
/** RFC 5321: a path is at most 256 octets, its angle brackets included. */
const MAX_ADDRESS = 254;

/** An RFC 5321 mailbox, trimmed and in lower case. */
export interface EmailAddress {
  readonly address: string;
  readonly domain: string;
}

/** @returns undefined where the text is no RFC 5321 mailbox */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 1 || at > MAX_LOCAL || address.length > MAX_ADDRESS) return undefined;
  if (!LOCAL.test(address.slice(0, at)) || !(DOMAIN.test(domain) || LITERAL.test(domain))) return undefined;
  return { address, domain };
}
