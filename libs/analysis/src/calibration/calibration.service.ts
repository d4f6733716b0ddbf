import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS, type PatternRecord } from '@outcomes/contracts';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { TenantScope } from '@outcomes/tenancy';
import { serialise } from '../documents/serialise';
import type { SettledChannel } from '../drift/settled-channels';
import { AnalysisRunRepository } from '../runs/analysis-run.repository';
import { calibrationDocument } from './calibration-document';
import { CalibrationRepository } from './calibration.repository';

/** Says how earlier predictions came out. */
@Injectable()
export class CalibrationService {
  constructor(
    @Inject(CalibrationRepository) private readonly predictions: CalibrationRepository,
    @Inject(AnalysisRunRepository) private readonly runs: AnalysisRunRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Puts the calibration document in place, under the name of the run.
   * @param dataAsOf - ISO 8601
   */
  async publish(
    scope: TenantScope,
    runId: string,
    dataAsOf: string,
    settled: readonly SettledChannel[],
  ): Promise<void> {
    const cells = await this.predictions.settled(scope, settled);
    const awaiting = await this.predictions.awaiting(scope, settled);
    const patterns = await this.runs.document(scope, DOCUMENTS.patterns);
    const records = patterns === undefined ? [] : (JSON.parse(patterns) as PatternRecord[]);
    const document = serialise(
      DOCUMENTS.calibration,
      calibrationDocument(cells, awaiting, records, dataAsOf),
    );
    await this.runs.amend(scope, { runId, dataAsOf: new Date(dataAsOf) }, [document], this.clock.now());
  }
}
