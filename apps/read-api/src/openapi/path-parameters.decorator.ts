import { ApiParam } from '@nestjs/swagger';

export const CampaignId = () =>
  ApiParam({
    name: 'campaignId',
    description: 'Campaign, exactly as sent at ingestion in metadata.campaign_id; case-sensitive.',
    schema: { type: 'string', minLength: 1, maxLength: 256 },
  });
export const ContactId = () =>
  ApiParam({
    name: 'contactId',
    description:
      'The recipient_id that was sent at ingestion, case-sensitive, or an e-mail address (percent-encoded: name%40example.com), which is hashed for the look-up and not stored.',
    schema: { type: 'string', minLength: 1, maxLength: 256 },
  });
