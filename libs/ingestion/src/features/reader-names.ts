/** Addresses at these domains say nothing about the reader's company. */
const PUBLIC_MAIL: ReadonlySet<string> = new Set([
  'gmail',
  'googlemail',
  'outlook',
  'hotmail',
  'live',
  'msn',
  'yahoo',
  'ymail',
  'icloud',
  'aol',
  'protonmail',
  'proton',
  'fastmail',
  'zoho',
  'mail',
  'gmx',
  'web',
  'qq',
  'example',
]);
/** Shorter names occur by chance; of ideographs two are a name. */
const MIN_NAME_LENGTH = 3;
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}$/u;
/** In the place of a name: the beginning of a literal as in `[ipv6:2001:db8::1]`, or a part of 192.168.0.1. */
const MACHINE = /^\[|^\d+$/;
const SECOND_LEVEL = /^(?:co|com|org|net|ac|gov|edu)$/;

/**
 * Names by which a message may address its reader, in lower case: what the caller put in metadata.first_name and
 * metadata.company, and the name in the domain of a company's address.
 */
export function readerNames(
  firstName: string | null,
  company: string | null,
  emailDomain: string | null,
): readonly string[] {
  return [firstName, company, emailDomain === null ? null : nameInDomain(emailDomain)]
    .filter((name) => name !== null)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.length >= MIN_NAME_LENGTH || IDEOGRAPHS.test(name));
}

/** `acme` of mail.acme.co.uk; null for public mail providers and address literals. */
function nameInDomain(domain: string): string | null {
  const labels = domain.split('.').slice(0, -1);
  if (SECOND_LEVEL.test(labels.at(-1) ?? '')) labels.pop();
  const name = labels.at(-1);
  return name === undefined || PUBLIC_MAIL.has(name) || MACHINE.test(name) ? null : name;
}
