import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS, EVIDENCE_TIERS, TOOL_NAMES, type Channel, type EvidenceTier } from '@outcomes/contracts';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';

// Query strings as the handlers take them. Names equal the arguments of the MCP tools. What is judged here is the
// form of a value; its bounds are judged once, by the read model, for both faces.

/** Digits become a number; anything else stays what it is and is refused. The bounds are the read model's. */
const WholeNumber = (minimum: number, maximum: number, fallback: number, description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum, maximum, default: fallback, description }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message: '$property must be a whole number.' }),
  );

const OneOf = (values: readonly string[], description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: 'string', enum: [...values], description }),
    IsOptional(),
    IsIn(values, { message: `$property must be one of ${values.join(', ')}.` }),
  );

const Text = (max: number, description: string, documented: { maxLength?: number; format?: string } = {}) =>
  applyDecorators(
    ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: max, ...documented, description }),
    IsOptional(),
    IsString({ message: '$property must be given once.' }),
    MinLength(1, { message: '$property must not be empty.' }),
    MaxLength(max, { message: `$property must have at most ${max} characters.` }),
  );

/** 256 characters, counted by the read model; here the form is counted in UTF-16 units, of which there may be twice as many. */
const Identifier = (description: string) => Text(512, description, { maxLength: 256 });
const Instant = (description: string) => Text(40, description, { format: 'date-time' });
const Limit = (maximum: number, fallback: number) =>
  WholeNumber(1, maximum, fallback, 'Most entries to return.');
const Cursor = () => Text(512, 'next_cursor of the page before, unchanged and with the same filters.');
const OfChannel = () => OneOf(CHANNELS, 'Only this channel. Leave out for all channels.');
const Flag = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: 'boolean', default: false, description }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsBoolean({ message: '$property must be true or false.' }),
  );
const CampaignDays = () =>
  WholeNumber(
    1,
    365,
    30,
    'Look-back in days, ending at newest_outcome_at. Email settles after 14 days, LinkedIn after 21: of fewer nothing counts.',
  );

export class ProfilesQuery {
  @Text(64, 'Only profiles that carry exactly this code; only rows of an older format carry one.')
  recommendationCode?: string;
  @WholeNumber(
    1,
    499,
    100,
    'Most profiles of one page. Without limit and cursor the answer is the whole list.',
  )
  limit?: number;
  @Text(512, 'cursor of the link to the next page, unchanged.') cursor?: string;
}

export class CampaignsQuery {
  @CampaignDays() window_days?: number;
  @Limit(100, 20) limit?: number;
  @Cursor() cursor?: string;
}

export class HealthQuery {
  @CampaignDays() window_days?: number;
  @OfChannel() channel?: Channel;
}

export class RecommendationsQuery {
  @Identifier('Campaign that you are asking for. Echoed only; the list stays company-wide.')
  campaign_id?: string;
  @OfChannel() channel?: Channel;
  @OneOf(['all', 'do_more', 'avoid'], 'do_more keeps recommended patterns, avoid keeps harmful ones.')
  direction?: 'all' | 'do_more' | 'avoid';
  @OneOf(EVIDENCE_TIERS, 'Weakest tier to include.') min_evidence_tier?: EvidenceTier;
  @Limit(51, 10) limit?: number;
}

export class BanditQuery {
  @OfChannel() channel?: Channel;
  @Text(
    64,
    'Only arms of this position: a job title (VP Sales) or its bucket (c_suite, vp, manager, unknown …).',
  )
  position?: string;
  @WholeNumber(1, 100, 10, 'Most arms to return, best posterior mean first.') top_n?: number;
}

export class DriftQuery {
  @OfChannel() channel?: Channel;
  @WholeNumber(7, 90, 14, 'Length of the recent period shown, in days. It does not change the verdict.')
  window_days?: number;
}

export class ContactDecisionsQuery {
  @Flag('true adds to each decision the frozen bytes that prove it, and models.') include_replay?: boolean;
  @Instant('Oldest decision time to include.') since?: string;
  @Instant('Exclusive upper bound of the decision time. Defaults to now.') until?: string;
  @Limit(50, 8) limit?: number;
  @Cursor() cursor?: string;
  @Identifier('Only decisions in this campaign.') campaign_id?: string;
}

export class DecisionsQuery extends ContactDecisionsQuery {
  @Identifier('Only decisions about this contact: the recipient_id sent at ingestion.') contact_id?: string;
}

export class ContactQuery {
  @OneOf(CHANNELS, 'Plan for this channel. Leave out to let the service choose.') channel?: Channel;
}

export class AuditQuery {
  @Instant('Oldest call time to include.') since?: string;
  @Instant('Exclusive upper bound of the call time. Defaults to now.') until?: string;
  @Limit(100, 15) limit?: number;
  @Cursor() cursor?: string;
  @OneOf(TOOL_NAMES, 'Only calls of this tool.') tool?: string;
  @OneOf(['success', 'error'], 'Only successful or only failed calls.') status?: 'success' | 'error';
}
