import { Inject, Injectable } from '@nestjs/common';
import { AppError, KEY_REFUSALS } from '@outcomes/contracts';
import { Counter, Management } from '@outcomes/platform';

/** Why a credential is refused, as operators read it: the reason of a key, or the code of anything else. */
const REASONS: readonly string[] = [
  ...KEY_REFUSALS,
  'missing_token',
  'invalid_token',
  'CONFLICTING_CREDENTIALS',
  'TOO_MANY_FAILED_ATTEMPTS',
];
/** A key that may not be used from where it came. */
const ELSEWHERE = 'elsewhere';

/** What operators are told of credentials that are refused, and of keys that are locked for it. */
@Injectable()
export class CredentialMetrics {
  private readonly refusals: Counter<'reason'>;
  private readonly locks: Counter;

  constructor(@Inject(Management) { registry }: Management) {
    const registers = [registry];
    this.refusals = new Counter({
      name: 'outcomes_credentials_refused_total',
      help: 'Credentials that were refused, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.locks = new Counter({
      name: 'outcomes_keys_locked_total',
      help: 'Keys that were locked after twenty wrong secrets.',
      registers,
    });
    for (const reason of [...REASONS, ELSEWHERE]) this.refusals.inc({ reason }, 0);
  }

  /** Counts what the caller did wrong; our own faults are no refusals. */
  refused(error: unknown): void {
    if (!(error instanceof AppError) || error.status >= 500) return;
    const reason = String(error.fields.reason ?? error.code);
    this.refusals.inc({ reason: REASONS.includes(reason) ? reason : ELSEWHERE });
  }

  locked(): void {
    this.locks.inc();
  }
}
