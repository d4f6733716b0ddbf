import { digestOf } from './recipient-id';

/** Of the contract, in characters. */
export const MAX_NAME = 256;

/** What a message is known by. The tool's name before it keeps references of two tools apart. */
export function referenceOf(tool: string, ...parts: readonly string[]): string {
  return bounded(`${tool}:${parts.join('/')}`);
}

/** A name that is too long is told by its digest: cut off, two of them would be one. */
export function bounded(name: string): string {
  return name.length <= MAX_NAME ? name : `sha256:${digestOf(name)}`;
}

/** A message of the recipient that does not exist: what sticks to a recipient waits for it, and makes none. */
export function referenceOfRecipient(tool: string, recipientId: string): string {
  return referenceOf(tool, 'contact', recipientId);
}
