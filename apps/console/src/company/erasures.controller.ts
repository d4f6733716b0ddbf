import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { TakesBody } from '@outcomes/limits';
import { z } from '@outcomes/platform';
import { JsonBody } from '../access/json-body.decorator';
import { Visiting, type Visit } from '../access/visitor.decorator';
import { RecipientErasure } from './recipient-erasure.service';

const MAX_BYTES = 4_096;
const ERASED = z.strictObject({ recipientId: z.string().min(1).max(256), keepSuppression: z.boolean() });

/** Deletes what is known of a recipient; the id travels in the body, since it may be an address. */
@Controller('api/c/:company/erasures')
@RequirePermission('import')
export class ErasuresController {
  constructor(@Inject(RecipientErasure) private readonly erasure: RecipientErasure) {}

  @Post()
  @HttpCode(200)
  @TakesBody('application/json', MAX_BYTES)
  erase(
    @Visiting() visit: Visit,
    @JsonBody(ERASED) { recipientId, keepSuppression }: z.infer<typeof ERASED>,
  ) {
    return this.erasure.erase(visit, recipientId, keepSuppression);
  }
}
