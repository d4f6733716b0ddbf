import type { Deprecation } from '@outcomes/contracts';

/** Characters of a key's id that tell its owner which one is meant. */
const SHOWN = 8;

/**
 * What a key holder is written.
 * @param keyIds - public ids of the keys that it is about
 * @param keyPrefix - what keys begin with, e.g. `svc`
 */
export function announcementText(
  { subject, announcedOn, sunsetOn, replacement, documentation }: Deprecation,
  keyIds: readonly string[],
  keyPrefix: string,
): { readonly subject: string; readonly text: string } {
  return {
    subject: `${subject} ends on ${sunsetOn}`,
    text: [
      `${subject} is deprecated since ${announcedOn} and ends on ${sunsetOn} at 00:00 UTC. Until then it answers as before.`,
      replacement,
      `More about it: ${documentation}`,
      `You are told once, as the contact of the API keys that begin with:`,
      keyIds.map((keyId) => `  ${keyPrefix}_${keyId.slice(0, SHOWN)}`).join('\n'),
    ].join('\n\n'),
  };
}
