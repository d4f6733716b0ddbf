import type { Exchange } from './exchange';

/**
 * Writes what a handler returned.
 * @param status - that of a success
 */
export type AnswerWriter = (exchange: Exchange, data: unknown, status: number) => void | Promise<void>;

/** JSON as it is; nothing where there is nothing. */
export const writeJson: AnswerWriter = (exchange, data, status) => {
  if (data === undefined) return exchange.send(status, '');
  exchange.setHeader('Content-Type', 'application/json; charset=utf-8');
  exchange.send(status, JSON.stringify(data));
};
