import { Controller, Delete, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Deed } from '@outcomes/audit';
import { Caller, OfDeed, RequirePermission, type Principal } from '@outcomes/auth';
import { IngestionService, type IngestOptions } from '@outcomes/ingestion';
import { Direct, RawBody, TakesBody } from '@outcomes/limits';
import { DeleteEvent, DeleteRecipient, PostCsv, PostEvents } from '../openapi';
import { Preferences } from './preferences.decorator';

const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_CSV_BYTES = 5 * 1024 * 1024;

/** Outcome events in and out, for the company that the key belongs to. */
@Controller('ingest')
export class EventsController {
  constructor(@Inject(IngestionService) private readonly ingestion: IngestionService) {}

  @Post('events')
  @PostEvents()
  @HttpCode(202)
  @RequirePermission('events_write')
  @Direct()
  @TakesBody('application/json', MAX_JSON_BYTES)
  postEvents(@Caller() { scope }: Principal, @RawBody() body: Buffer, @Preferences() options: IngestOptions) {
    return this.ingestion.ingestJson(scope, body, options);
  }

  @Post('csv')
  @PostCsv()
  @HttpCode(202)
  @RequirePermission('events_write')
  @TakesBody('text/csv', MAX_CSV_BYTES)
  postCsv(@Caller() { scope }: Principal, @RawBody() body: Buffer, @Preferences() options: IngestOptions) {
    return this.ingestion.ingestCsv(scope, body, options);
  }

  @Delete('events/:event_id')
  @DeleteEvent()
  @RequirePermission('events_delete')
  deleteEvent(@Caller() { scope }: Principal, @Param('event_id') eventId: string, @OfDeed() deed: Deed) {
    return this.ingestion.deleteEvent(scope, eventId, deed);
  }

  @Delete('events')
  @DeleteRecipient()
  @RequirePermission('events_delete')
  deleteRecipient(
    @Caller() { scope }: Principal,
    @Query('recipient_id') recipientId: unknown,
    @Query('keep_suppression') keepSuppression: unknown,
    @OfDeed() deed: Deed,
  ) {
    return this.ingestion.deleteRecipient(scope, recipientId, keepSuppression, deed);
  }
}
