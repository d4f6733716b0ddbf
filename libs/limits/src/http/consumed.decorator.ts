import { AppError } from '@outcomes/contracts';
import { exchangeParameter } from '@outcomes/platform';
import type { Consumption } from '../limiter/consumption';

/** Hands a handler what this request left of its credential's limits. */
export const Consumed = exchangeParameter(({ consumed }): Consumption => {
  if (consumed === undefined) throw new AppError('missing_token');
  return consumed as Consumption;
});
