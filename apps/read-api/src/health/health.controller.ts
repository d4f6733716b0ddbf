import { Controller, Get, Inject } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Caller, Guarded, type Principal } from '@outcomes/auth';
import { BurstOnly, Consumed, type Consumption } from '@outcomes/limits';
import { Read } from '../openapi';
import { HealthService } from './health.service';

@Controller('health')
@ApiTags('Health')
export class HealthController {
  constructor(@Inject(HealthService) private readonly service: HealthService) {}

  @Get()
  @Guarded()
  @BurstOnly()
  @ApiSecurity({})
  @ApiSecurity('bearer')
  @ApiSecurity('apiKey')
  @Read('Health', {
    says: 'The service is healthy.',
    summary: 'Health and caller',
    description:
      'Who the credential stands for, what it has left and what works. Needs no permission and leaves the month alone. Without a valid credential the answer is 401, with the limits of the address.',
    everNew: true,
  })
  health(@Caller() caller: Principal, @Consumed() { remaining }: Consumption) {
    return this.service.describe(caller, remaining);
  }
}
