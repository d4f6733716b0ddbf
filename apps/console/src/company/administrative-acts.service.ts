import { Inject, Injectable } from '@nestjs/common';
import { People } from '@outcomes/accounts';
import { AdministrationTrail } from '@outcomes/audit';
import type { AdministrativeAct } from '@outcomes/contracts';
import type { Visit } from '../access/visitor.decorator';

/** Acts that one answer lists. */
const MAX_ACTS = 50;

/** What was done to a company's people, keys and settings, with who did it. */
@Injectable()
export class AdministrativeActs {
  constructor(
    @Inject(AdministrationTrail) private readonly trail: AdministrationTrail,
    @Inject(People) private readonly people: People,
  ) {}

  /** Newest first. People are called by their address as long as they are of the company, then by their id. */
  async newest({ scope }: Visit): Promise<{ acts: AdministrativeAct[] }> {
    const [entries, { people }] = await Promise.all([
      this.trail.list(scope, { limit: MAX_ACTS }),
      this.people.list(scope),
    ]);
    const addresses = new Map(people.map(({ userId, email }) => [userId, email]));
    return {
      acts: entries.map(({ entryNo, occurredAt, by, action, subject, details, sealSha256 }) => ({
        ...{ number: entryNo, occurredAt: occurredAt.toISOString(), action, details },
        by: `${by.type} ${addresses.get(by.id) ?? by.id}`,
        subject: subject === null ? null : (addresses.get(subject) ?? subject),
        seal: sealSha256.toString('hex'),
      })),
    };
  }
}
