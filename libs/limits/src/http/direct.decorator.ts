import type { IncomingMessage } from 'node:http';
import { SetMetadata } from '@nestjs/common';

export const DIRECT = 'outcomes:direct';

/** How a handler is called without Express and Nest around it. */
export interface DirectOptions {
  /** In place of the verb of the route, where that is every verb. */
  readonly method?: string;
  /** Whether a request is of the plain kind; the others go through Nest. */
  readonly takes?: (request: IncomingMessage) => boolean;
}

/**
 * The handler is called from node:http for plain requests: Express and Nest cost as much as a small answer. Permission,
 * body, arguments and answer are those that its decorators declare, by the same steps. Requests with a query, and
 * other verbs such as HEAD, find it through Nest.
 */
export const Direct = (options: DirectOptions = {}) => SetMetadata(DIRECT, options);
