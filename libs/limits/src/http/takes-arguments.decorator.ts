import { SetMetadata } from '@nestjs/common';
import { exchangeParameter } from '@outcomes/platform';

export const ARGUMENTS_READER = 'outcomes:arguments-reader';

/** What a request says in its address, as HTTP servers parse it. */
export interface RequestAddress {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Reads the arguments of a handler.
 * @throws AppError for an address that says anything else than it may
 */
export type ArgumentsReader = (address: RequestAddress) => object;

/** The handler takes arguments from its address, which are read behind the admission, whoever calls it. */
export const TakesArguments = (read: ArgumentsReader) => SetMetadata(ARGUMENTS_READER, read);

/** The arguments of the request, judged. */
export const Given = exchangeParameter(({ given }) => given);
