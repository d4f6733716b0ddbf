import { Controller, Get, Inject } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Caller, Guarded, type Principal } from '@outcomes/auth';
import { HEALTH } from '@outcomes/contracts';
import { BurstOnly, Consumed, type Consumption } from '@outcomes/limits';
import { addressOf, Read } from '../openapi';
import { HealthService } from './health.service';

@Controller()
@ApiTags('Health')
export class HealthController {
  constructor(@Inject(HealthService) private readonly service: HealthService) {}

  @Get(addressOf(HEALTH))
  @Guarded()
  @BurstOnly()
  @ApiSecurity({})
  @ApiSecurity('bearer')
  @ApiSecurity('apiKey')
  @Read(HEALTH)
  health(@Caller() caller: Principal, @Consumed() { remaining }: Consumption) {
    return this.service.describe(caller, remaining);
  }
}
