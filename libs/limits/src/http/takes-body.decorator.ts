import { SetMetadata } from '@nestjs/common';
import { exchangeParameter } from '@outcomes/platform';

export const BODY_RULE = 'outcomes:body-rule';

/** The body that a route takes. */
export interface BodyRule {
  readonly mediaType: string;
  /** Bytes, after decoding. */
  readonly limit: number;
}

/**
 * The handler takes a body, which is read behind the admission: nobody makes the service read megabytes without a key.
 * @param limit - bytes, after decoding
 */
export const TakesBody = (mediaType: string, limit: number) =>
  SetMetadata(BODY_RULE, { mediaType, limit } satisfies BodyRule);

/** The bytes of the body; empty where none was sent. */
export const RawBody = exchangeParameter(({ body }) => body);
