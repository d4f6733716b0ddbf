import { Controller, Get, Inject } from '@nestjs/common';
import { Caller, Guarded, type Principal } from '@outcomes/auth';
import { BurstOnly } from '@outcomes/limits';
import { Says } from '../envelope/says.decorator';
import { HealthService } from './health.service';
import { Remaining } from './remaining.decorator';

@Controller('health')
export class HealthController {
  constructor(@Inject(HealthService) private readonly service: HealthService) {}

  @Get()
  @Guarded()
  @BurstOnly()
  @Says('The service is healthy.')
  health(@Caller() caller: Principal, @Remaining() remaining: number | null) {
    return this.service.describe(caller, remaining);
  }
}
