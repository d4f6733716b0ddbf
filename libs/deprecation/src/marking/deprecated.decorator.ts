import { AppError, DEPRECATIONS, deprecationCatalogue, type Deprecation } from '@outcomes/contracts';
import { declareAnswerHeaders } from '@outcomes/platform';
import { deprecationHeaders } from './deprecation-headers';

/** What is marked: handlers, and controllers for all of their handlers. */
const marked = new WeakMap<object, Deprecation>();

/**
 * Marks a handler, or a controller with all of its handlers, as deprecated.
 * @param id - id of an entry of the catalogue
 * @param catalogue - other than the one of the interface in tests only
 * @throws AppError INTERNAL_ERROR where there is no such entry; AggregateError where the entry breaks the promise of
 * notice. Both when the class is loaded, thus before anything listens.
 */
export function Deprecated(id: string, catalogue: readonly Deprecation[] = DEPRECATIONS) {
  const [deprecation] = deprecationCatalogue(catalogue.filter((entry) => entry.id === id));
  if (!deprecation) {
    throw new AppError('INTERNAL_ERROR', {}, { message: `The catalogue has no deprecation ${id}.` });
  }
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const handlers = (descriptor?.value as object | undefined) ?? target;
    marked.set(handlers, deprecation);
    declareAnswerHeaders(handlers, deprecationHeaders(deprecation));
  };
}

/** What a handler is marked with, or else its controller; undefined where neither is. */
export function deprecationOf(handler: object, controller: object): Deprecation | undefined {
  return marked.get(handler) ?? marked.get(controller);
}
