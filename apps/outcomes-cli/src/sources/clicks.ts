import type { CreatedSource } from '@outcomes/ingestion';
import { profileOf } from '@outcomes/source-profiles';

/** What to do with an address and a secret in the tool, line by line. */
export function clicksOf({ tool, authentication, header }: CreatedSource): string[] {
  const profile = profileOf(tool);
  const title = profile?.title ?? tool;
  const steps = {
    path: [
      `In ${title}, add a webhook with this address, for all events. The address contains the secret: keep it private.`,
    ],
    header: [
      `In ${title}, add a webhook with this address, for all events,`,
      `and add a custom header: ${header ?? ''}, with the secret as its value.`,
    ],
    'hmac-sha256-hex': [
      `In ${title}, add a webhook with this address and this secret, for all e-mail events.`,
    ],
    'hmac-sha1-hex': [`In ${title}, add a webhook with this address and this secret, for all e-mail events.`],
  }[authentication];
  const draft =
    profile?.status === 'draft'
      ? [`The profile of ${title} is a draft: it has not been fully checked against real deliveries yet.`]
      : [];
  return [
    ...steps,
    ...draft,
    `Event types and what they do not contain: libs/source-profiles/docs/${tool}.md`,
  ];
}
