import { Inject, Injectable } from '@nestjs/common';
import { Authenticator, type Identity, type PresentedCredential } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { Limiter } from '../limiter/limiter.service';
import { beforeRefusingAgain } from './slow-refusal';
import { setHeaders, type SetHeader } from './set-header';

/** Unknown keys that a pod looks up per second for all addresses together that have used up their windows. */
const LOOK_UPS_PER_SECOND = 5;

/** Proves credentials, and has everybody who proves none pay with the window of his address. */
@Injectable()
export class Strangers {
  private lookUps = LOOK_UPS_PER_SECOND;
  private filledMs = performance.now();

  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(Limiter) private readonly limiter: Limiter,
  ) {}

  /**
   * @param setHeader - is given the state of the address's window where nothing was proven
   * @throws AppError as `prove` does, or RATE_LIMITED
   */
  async identify(presented: PresentedCredential, setHeader: SetHeader): Promise<Identity> {
    try {
      return this.authenticator.identifyKnown(presented) ?? (await this.prove(presented));
    } catch (error) {
      if (paysForItself(error)) setHeaders(setHeader, await this.limiter.consumeAddress(presented.ip));
      throw error;
    }
  }

  /**
   * The same without counting. Behind an address that has used up its window an unknown key is looked up only now and
   * then: made-up keys would otherwise cost the database a read each, and a key that is valid still gets in.
   * @throws AppError as `Authenticator.identify` does; RATE_LIMITED
   */
  async prove(presented: PresentedCredential): Promise<Identity> {
    const { ip } = presented;
    const isSpared = this.limiter.isAddressExhausted(ip) && !this.authenticator.isFamiliar(presented);
    if (isSpared && !this.mayLookUp()) {
      await beforeRefusingAgain();
      throw new AppError('RATE_LIMITED');
    }
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

/** The address pays for what it presents, not for our own faults. */
export function paysForItself(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}
