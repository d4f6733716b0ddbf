import { SetMetadata } from '@nestjs/common';

export const BURST_ONLY = 'outcomes:burst-only';

/** Requests of this handler consume the burst window and never the month. */
export const BurstOnly = () => SetMetadata(BURST_ONLY, true);
