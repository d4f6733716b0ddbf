import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Management } from '@outcomes/platform';
import { Limiter } from './limiter.service';

/** What operators see of the limits of one pod. */
@Injectable()
export class LimiterMetrics {
  constructor(@Inject(Limiter) limiter: Limiter, @Inject(Management) { registry }: Management) {
    new Gauge({
      name: 'outcomes_limiter_degraded',
      help: '1 while this pod limits from its own memory, because Redis does not answer.',
      registers: [registry],
      collect() {
        this.set(limiter.state === 'degraded' ? 1 : 0);
      },
    });
  }
}
