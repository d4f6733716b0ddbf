import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { exchangeOf, type Exchange } from './exchange';

/** Reads one argument of a handler from an exchange. */
export type ExchangeReader = (exchange: Exchange) => unknown;

const READERS = 'outcomes:exchange-readers';

/**
 * Makes a parameter decorator of a function of the exchange: Nest asks it where Nest calls the handler, and so does
 * whoever calls the handler without Nest.
 */
export function exchangeParameter(read: ExchangeReader): () => ParameterDecorator {
  const ofNest = createParamDecorator((_data: unknown, context: ExecutionContext) =>
    read(exchangeOf(context.switchToHttp().getRequest<IncomingMessage>())),
  );
  return () => (target, name, index) => {
    if (name === undefined) return;
    ofNest()(target, name, index);
    const readers: ExchangeReader[] =
      (Reflect.getOwnMetadata(READERS, target, name) as ExchangeReader[] | undefined) ?? [];
    readers[index] = read;
    Reflect.defineMetadata(READERS, readers, target, name);
  };
}

/**
 * What reads the arguments of a handler.
 * @returns undefined where an argument is read from anything but the exchange
 */
export function readersOf(controller: object, name: string): readonly ExchangeReader[] | undefined {
  const handler: unknown = Reflect.get(controller, name);
  const readers = (Reflect.getMetadata(READERS, controller, name) as ExchangeReader[] | undefined) ?? [];
  const isComplete = typeof handler === 'function' && readers.length >= handler.length;
  return isComplete && !Array.from(readers).includes(undefined as never) ? readers : undefined;
}

const whole: ExchangeReader = (exchange) => exchange;

/** Hands a handler the exchange itself, which then judges by itself what else the request says. */
export const OfExchange = exchangeParameter(whole);

/** Whether a handler takes the exchange itself. */
export function takesExchange(controller: object, name: string): boolean {
  return readersOf(controller, name)?.includes(whole) ?? false;
}
