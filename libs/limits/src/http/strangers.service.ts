import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, type Identity, type PresentedCredential } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import type { Exchange } from '@outcomes/platform';
import { Limiter } from '../limiter/limiter.service';
import { PacedRefusals } from '../shares/paced-refusals.service';

/** What is unknown and a pod looks up per second, for all addresses together that have used up their windows. */
const LOOK_UPS_PER_SECOND = 5;

/** Proves credentials, and has everybody who proves none pay with the window of his address. */
@Injectable()
export class Strangers {
  private lookUps = LOOK_UPS_PER_SECOND;
  private filledMs = performance.now();

  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
    @Inject(PacedRefusals) private readonly refusals: PacedRefusals,
  ) {}

  /** Who proves a credential without a wait; undefined where `identify` has to be asked, also for what is wrong. */
  identifyCached(presented: PresentedCredential): Identity | undefined {
    try {
      return this.authenticator.identifyCached(presented);
    } catch {
      return undefined;
    }
  }

  /**
   * @param exchange - is given the state of the address's window where nothing was proven
   * @throws AppError as `Authenticator.identify` does; RATE_LIMITED
   */
  async identify(presented: PresentedCredential, exchange: Exchange): Promise<Identity> {
    try {
      return await this.prove(presented);
    } catch (error) {
      // The address pays for what it presents, not for our own faults.
      if (error instanceof AppError && error.status < 500) {
        exchange.setHeaders(await this.limiter.consumeAddress(presented.ip));
      }
      throw error;
    }
  }

  /**
   * Behind an address that has used up its window, what this pod has never found is looked up only now and then: what is
   * made up would otherwise cost the database a read each, and what there is still gets in.
   * @param isFamiliar - whether it was found here before; asked only behind such an address
   * @throws AppError RATE_LIMITED, in its turn, where it is not looked up now; nothing is counted
   */
  async requireLookUp(ip: string, isFamiliar: () => boolean): Promise<void> {
    if (!this.limiter.isAddressExhausted(ip) || isFamiliar() || this.mayLookUp()) return;
    await this.refusals.turn(ip);
    throw new AppError('RATE_LIMITED');
  }

  private async prove(presented: PresentedCredential): Promise<Identity> {
    await this.requireLookUp(presented.ip, () => this.authenticator.isFamiliar(presented));
    return this.authenticator.identify(presented);
  }

  private mayLookUp(): boolean {
    const now = performance.now();
    const earned = ((now - this.filledMs) / 1_000) * LOOK_UPS_PER_SECOND;
    this.lookUps = Math.min(LOOK_UPS_PER_SECOND, this.lookUps + earned);
    this.filledMs = now;
    if (this.lookUps < 1) return false;
    this.lookUps -= 1;
    return true;
  }
}
