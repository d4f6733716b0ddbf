import { profileOf, TOLD, typesTelling, type Told } from '@outcomes/source-profiles';
import { OTHER_TYPES } from './source';

/** That a source tells what became of mails, and never that one was sent. */
export interface NoSentEvents {
  /** When the source was made: none has come since. */
  readonly since: string;
  /** What has to be switched on in the tool, as the tool names it; one of them will do. */
  readonly types: readonly string[];
  /** What it means and what to do. */
  readonly message: string;
}

const OTHERS = TOLD.filter((tells): tells is Exclude<Told, 'sent'> => tells !== 'sent');

/**
 * Whether a source delivers replies, bounces or the like, and nothing of what was sent: then its replies find no message,
 * and rates have nothing to be of.
 * @param types - that were delivered, as the tool names them
 * @returns null where there is nothing to say, also where the types do not tell
 */
export function noSentEvents(
  tool: string,
  createdAt: Date,
  types: readonly { readonly type: string }[],
): NoSentEvents | null {
  const profile = profileOf(tool);
  if (!profile) return null;
  const sent = typesTelling(profile, ['sent']);
  const came = new Set(types.map(({ type }) => type.toLowerCase()));
  const hasCome = (type: string) => came.has(type.toLowerCase());
  if (sent.anyType || sent.types.some(hasCome) || came.has(OTHER_TYPES)) return null;
  const others = typesTelling(profile, OTHERS).types.filter(hasCome);
  if (others.length === 0) return null;
  const since = createdAt.toISOString();
  return {
    since,
    types: sent.types,
    message:
      `${profile.title} has delivered ${listed(others, 'and')}, but nothing of what was sent since this source was made ` +
      `on ${since.slice(0, 10)}. Without it replies wait for their message or stand alone, and rates come out wrong. ` +
      `Switch on ${listed(sent.types, 'or')} in its webhook, and import what was sent before.`,
  };
}

function listed(names: readonly string[], joined: 'and' | 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${joined} ${last}`;
}
