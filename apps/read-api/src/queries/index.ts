import { applyDecorators } from '@nestjs/common';
import { CHANNELS, EVIDENCE_TIERS, TOOL_NAMES, type Channel, type EvidenceTier } from '@outcomes/contracts';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';

// Query strings as the handlers take them. Names equal the arguments of the MCP tools. What is judged here is the
// form of a value; its bounds are judged once, by the read model, for both faces.

/** Digits become a number; anything else stays what it is and is refused. */
const WholeNumber = () =>
  applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message: '$property must be a whole number.' }),
  );

const OneOf = (values: readonly string[]) =>
  applyDecorators(IsOptional(), IsIn(values, { message: `$property must be one of ${values.join(', ')}.` }));

const Text = (max: number) =>
  applyDecorators(
    IsOptional(),
    IsString({ message: '$property must be given once.' }),
    MinLength(1, { message: '$property must not be empty.' }),
    MaxLength(max, { message: `$property must have at most ${max} characters.` }),
  );

/** Twice the characters of an identifier: the form is counted in UTF-16 units. */
const Identifier = () => Text(512);

class PageQuery {
  @WholeNumber() limit?: number;
  @Text(512) cursor?: string;
}

class PeriodQuery extends PageQuery {
  @Text(40) since?: string;
  @Text(40) until?: string;
}

export class ProfilesQuery {
  @Text(64) recommendationCode?: string;
}

export class CampaignsQuery extends PageQuery {
  @WholeNumber() window_days?: number;
}

export class HealthQuery {
  @WholeNumber() window_days?: number;
  @OneOf(CHANNELS) channel?: Channel;
}

export class RecommendationsQuery {
  @Identifier() campaign_id?: string;
  @OneOf(CHANNELS) channel?: Channel;
  @OneOf(['all', 'do_more', 'avoid']) direction?: 'all' | 'do_more' | 'avoid';
  @OneOf(EVIDENCE_TIERS) min_evidence_tier?: EvidenceTier;
  @WholeNumber() limit?: number;
}

export class BanditQuery {
  @OneOf(CHANNELS) channel?: Channel;
  @Text(64) position?: string;
  @WholeNumber() top_n?: number;
}

export class DriftQuery {
  @OneOf(CHANNELS) channel?: Channel;
  @WholeNumber() window_days?: number;
}

export class ContactDecisionsQuery extends PeriodQuery {
  @Identifier() campaign_id?: string;
}

export class DecisionsQuery extends ContactDecisionsQuery {
  @Identifier() contact_id?: string;
}

export class ContactQuery {
  @OneOf(CHANNELS) channel?: Channel;
}

export class AuditQuery extends PeriodQuery {
  @OneOf(TOOL_NAMES) tool?: string;
  @OneOf(['success', 'error']) status?: 'success' | 'error';
}
