import type { SourceProfile } from '../profile';
import apollo from './apollo.json';
import hubspot from './hubspot.json';
import instantly from './instantly.json';
import lemlist from './lemlist.json';
import mailbox from './mailbox.json';
import mailshake from './mailshake.json';
import outreach from './outreach.json';
import replyio from './replyio.json';
import salesloft from './salesloft.json';
import smartlead from './smartlead.json';
import woodpecker from './woodpecker.json';

/** Of the tools that are known, by name. A test holds each against the schema. */
export const PROFILES = [
  apollo,
  hubspot,
  instantly,
  lemlist,
  mailbox,
  mailshake,
  outreach,
  replyio,
  salesloft,
  smartlead,
  woodpecker,
] as unknown as readonly SourceProfile[];

export function profileOf(tool: string): SourceProfile | undefined {
  return PROFILES.find((profile) => profile.tool === tool);
}
