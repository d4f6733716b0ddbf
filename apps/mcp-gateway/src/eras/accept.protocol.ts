import { AppError } from '@outcomes/contracts';

export const namesJson = namesType('application/json');
export const namesEvents = namesType('text/event-stream');
export const namesAnything = namesType('\\*/\\*');

export function notAcceptable(message: string): AppError {
  return new AppError('NOT_ACCEPTABLE', {}, { message: `Not Acceptable: ${message}` });
}

/** Finds a media type in an Accept header, with any parameters but a q of 0. */
function namesType(type: string): (accept: string) => boolean {
  const pattern = new RegExp(`(^|,)\\s*${type}\\s*(,|$|;(?![^,]*q=0(\\.0*)?\\s*(,|;|$)))`, 'i');
  return (accept) => pattern.test(accept);
}
