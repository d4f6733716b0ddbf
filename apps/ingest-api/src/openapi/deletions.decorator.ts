import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Fails, Succeeds } from '@outcomes/openapi';
import { EVERY_REQUEST_FAILS } from './operations.decorator';

const EVENT_ID = '6e38e328-70eb-4657-9c91-f5b5b68b0ec4';

export const DeleteEvent = () =>
  applyDecorators(
    ApiTags('Deletion'),
    ApiOperation({
      summary: 'Delete one event',
      description:
        'With everything derived from it. An opt-out or a bounce that only this event tells of is lifted. Needs events_delete.',
    }),
    ApiParam({
      name: 'event_id',
      description: 'event_id of the event.',
      schema: { type: 'string', format: 'uuid' },
    }),
    Succeeds({
      status: 200,
      description: 'Deleted.',
      schemaName: 'EventDeleted',
      example: { deleted: 1, event_id: EVENT_ID },
    }),
    Fails([
      ...EVERY_REQUEST_FAILS,
      'INVALID_EVENT_ID',
      'INVALID_PARAMETER',
      'INVALID_REQUEST',
      'EVENT_NOT_FOUND',
    ]),
  );

export const DeleteRecipient = () =>
  applyDecorators(
    ApiTags('Deletion'),
    ApiOperation({
      summary: 'Delete the events of a recipient',
      description:
        "With everything derived from them. No event is a success too. The recipient's opt-out goes as well, unless keep_suppression=true: then its hash and date stay, and the recipient and its e-mail address go on being refused. Needs events_delete.",
    }),
    ApiQuery({
      name: 'recipient_id',
      required: true,
      description: 'recipient_id of the events.',
      schema: { type: 'string', minLength: 1, maxLength: 256 },
    }),
    ApiQuery({
      name: 'keep_suppression',
      required: false,
      description:
        'true keeps an opt-out or a bounce that blocks the recipient, also through an e-mail address shared with another, as hashes and dates, so that nobody writes to them again; false, the default, removes it. Anything else is refused.',
      schema: { type: 'boolean', default: false },
    }),
    Succeeds({
      status: 200,
      description: 'Deleted.',
      schemaName: 'RecipientDeleted',
      example: { deleted: 3, recipient_id: 'crm-00421', suppression: 'none' },
    }),
    Fails([...EVERY_REQUEST_FAILS, 'MISSING_RECIPIENT_ID', 'INVALID_PARAMETER']),
  );
