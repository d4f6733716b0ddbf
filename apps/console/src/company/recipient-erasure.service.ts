import { Inject, Injectable } from '@nestjs/common';
import { Sessions } from '@outcomes/accounts';
import { IngestionService } from '@outcomes/ingestion';
import type { Visit } from '../access/visitor.decorator';

/** Deletes a recipient for whoever may import. It cannot be taken back, so a session that was left open is not enough. */
@Injectable()
export class RecipientErasure {
  constructor(
    @Inject(IngestionService) private readonly ingestion: IngestionService,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  /** @throws AppError RECENT_SIGN_IN_REQUIRED, INVALID_PARAMETER */
  async erase({ scope, session, deed }: Visit, recipientId: string, keepSuppression: boolean) {
    this.sessions.requireRecent(session);
    return this.ingestion.deleteRecipient(scope, recipientId, String(keepSuppression), deed);
  }
}
