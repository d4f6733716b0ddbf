import { writeJson, type AnswerWriter } from '@outcomes/platform';
import { PreSerialised } from '@outcomes/read-model';

/** What a handler returned, as JSON; documents of a run are spliced in as they are stored. */
export const writeAnswer: AnswerWriter = (exchange, data, status) => {
  if (!(data instanceof PreSerialised)) return writeJson(exchange, data, status);
  exchange.setHeader('Content-Type', 'application/json; charset=utf-8');
  exchange.sendBytes(status, data.bytes);
};
