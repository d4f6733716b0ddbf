import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { IngestionService } from '@outcomes/ingestion';
import { TakesBody } from '@outcomes/limits';
import { z } from '@outcomes/platform';
import { JsonBody, Visiting, type Visit } from '../access';

const MOST_BYTES = 4_096;
const ERASED = z.strictObject({ recipientId: z.string().min(1).max(256), keepSuppression: z.boolean() });

/** Deletes what is known of a recipient; the id travels in the body, since it may be an address. */
@Controller('api/c/:company/erasures')
@RequirePermission('import')
export class ErasuresController {
  constructor(@Inject(IngestionService) private readonly ingestion: IngestionService) {}

  @Post()
  @HttpCode(200)
  @TakesBody('application/json', MOST_BYTES)
  erase(
    @Visiting() { scope, deed }: Visit,
    @JsonBody(ERASED) { recipientId, keepSuppression }: z.infer<typeof ERASED>,
  ) {
    return this.ingestion.deleteRecipient(scope, recipientId, String(keepSuppression), deed);
  }
}
