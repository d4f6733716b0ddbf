import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@outcomes/contracts';
import { FairTurns } from '@outcomes/platform';

/** Parameters of scrypt, of which N is a power of two. */
export interface HashCost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's parameters of equal strength for 32 MiB of memory, about 0.2 s of a core. */
const COST: HashCost = { log2N: 15, r: 8, p: 3 };
const BYTES = 32;
/** Hashes at once: each takes a core and 32 MiB. Nobody has more than those in the line of all. */
const AT_ONCE = 2;
const WAIT_MS = 5_000;

/**
 * Hashes passwords with scrypt, which every Node has that this service runs on; argon2 came with Node 24. A stored
 * hash names its parameters, so that they may grow: `scrypt$15$8$3$salt$hash`, both base64url.
 */
@Injectable()
export class PasswordHashes {
  private readonly turns = new FairTurns(AT_ONCE, WAIT_MS);
  private readonly allTurns = new FairTurns(AT_ONCE, WAIT_MS);
  /** Nobody's: held against what is presented for an account that there is not, so that it takes as long. */
  private readonly decoy: string;

  /** @param cost - less than it takes only in tests of other things */
  constructor(private readonly cost: HashCost = COST) {
    this.decoy = this.written(randomBytes(16), randomBytes(BYTES));
  }

  /**
   * @param sender - address that it is for, behind whose other hashes it waits; an operator has none
   * @throws AppError INVALID_PARAMETER for a password that is too short or too long; SERVICE_UNAVAILABLE where no turn comes
   */
  async hash(password: string, sender = ''): Promise<string> {
    const { length } = [...password];
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      const message = `A password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`;
      throw new AppError('INVALID_PARAMETER', { parameter: 'password' }, { message });
    }
    const salt = randomBytes(16);
    return this.written(salt, await this.derive(password, salt, this.cost, sender));
  }

  /**
   * Takes the same time whether there is such an account or not.
   * @param stored - undefined or null where there is no password to hold it against
   * @param sender - as for `hash`
   * @throws AppError SERVICE_UNAVAILABLE where no turn comes
   */
  async verify(password: string, stored: string | null | undefined, sender = ''): Promise<boolean> {
    if ([...password].length > LONGEST_PASSWORD) return false;
    const [, log2N, r, p, salt = '', expected = ''] = (stored ?? this.decoy).split('$');
    const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
    const derived = await this.derive(password, Buffer.from(salt, 'base64url'), cost, sender);
    return timingSafeEqual(derived, Buffer.from(expected, 'base64url')) && stored != null;
  }

  private written(salt: Buffer, hash: Buffer): string {
    const { log2N, r, p } = this.cost;
    return `scrypt$${[log2N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')}`;
  }

  private derive(password: string, salt: Buffer, { log2N, r, p }: HashCost, sender: string): Promise<Buffer> {
    const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
    return this.turns.run(sender, () =>
      this.allTurns.run(
        'all',
        () =>
          new Promise((resolve, reject) =>
            scrypt(password.normalize('NFKC'), salt, BYTES, options, (error, key) =>
              error ? reject(error) : resolve(key),
            ),
          ),
      ),
    );
  }
}
