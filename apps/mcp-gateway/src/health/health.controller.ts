import { Controller, Get } from '@nestjs/common';
import { Public } from '@outcomes/auth';

@Controller()
export class HealthController {
  @Get('healthz')
  @Public()
  healthz() {
    return { status: 'ok', transport: 'streamable-http' };
  }
}
