import type { CreatedSource } from '@outcomes/ingestion';
import { profileOf } from '@outcomes/source-profiles';

/** What to do with an address and a secret in the tool, line by line. */
export function clicksOf({ tool, authentication, header }: CreatedSource): string[] {
  const profile = profileOf(tool);
  const title = profile?.title ?? tool;
  const steps = {
    path: [
      `In ${title}, add a webhook with this address, for all events. The secret stands in the address: show it to nobody.`,
    ],
    header: [
      `In ${title}, add a webhook with this address, for all events,`,
      `and give it a header of your own: ${header ?? ''} with the secret as its value.`,
    ],
    'hmac-sha256-hex': [
      `In ${title}, add a webhook with this address and this secret, for all events of mails.`,
    ],
    'hmac-sha1-hex': [
      `In ${title}, add a webhook with this address and this secret, for all events of mails.`,
    ],
  }[authentication];
  const draft =
    profile?.status === 'draft'
      ? [`The profile of ${title} is a draft: nobody has held all of it against real deliveries yet.`]
      : [];
  return [
    ...steps,
    ...draft,
    `Which events there are, and what they do not tell: libs/source-profiles/docs/${tool}.md`,
  ];
}
