import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { IngestionService, IngestStatuses } from '@outcomes/ingestion';
import { RawBody, TakesBody } from '@outcomes/limits';
import { Visiting, type Visit } from '../access/visitor.decorator';

const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_CSV_BYTES = 5 * 1024 * 1024;

/** History that somebody brings: the same batches, judged by the same rules, as those of ingest-api. */
@Controller('api/c/:company/imports')
@RequirePermission('import')
export class ImportsController {
  constructor(
    @Inject(IngestionService) private readonly ingestion: IngestionService,
    @Inject(IngestStatuses) private readonly statuses: IngestStatuses,
  ) {}

  @Post('events')
  @HttpCode(202)
  @TakesBody('application/json', MAX_JSON_BYTES)
  events(@Visiting() { scope }: Visit, @RawBody() body: Buffer) {
    return this.ingestion.ingestJson(scope, body, {});
  }

  @Post('csv')
  @HttpCode(202)
  @TakesBody('text/csv', MAX_CSV_BYTES)
  csv(@Visiting() { scope }: Visit, @RawBody() body: Buffer) {
    return this.ingestion.ingestCsv(scope, body, {});
  }

  @Get('status')
  status(@Visiting() { scope }: Visit) {
    return this.statuses.of(scope);
  }
}
