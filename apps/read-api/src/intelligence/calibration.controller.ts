import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequirePermission, type Principal } from '@outcomes/auth';
import { IntelligenceService } from '@outcomes/read-model';
import { Read } from '../openapi';

@Controller('intelligence')
@ApiTags('Intelligence')
@RequirePermission('analytics_read')
export class CalibrationController {
  constructor(@Inject(IntelligenceService) private readonly service: IntelligenceService) {}

  @Get('calibration')
  @Read('Calibration', {
    says: 'How stated probabilities came out.',
    summary: 'Calibration',
    description:
      'Probabilities that were frozen with decisions against the outcomes that came later: observed over expected replies, reliability bins, Brier and log score, interval coverage, by run. Before anything has settled it is empty, with the alert no_calibration_available.',
  })
  calibration(@Caller() caller: Principal) {
    return this.service.calibration(caller.scope);
  }
}
