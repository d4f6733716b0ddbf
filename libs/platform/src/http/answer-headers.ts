/** Header fields that every answer of a handler carries, refusals included; of a controller, those of all its handlers. */
const declared = new WeakMap<object, Readonly<Record<string, string>>>();

/** @param target - a handler, or a controller */
export function declareAnswerHeaders(target: object, headers: Readonly<Record<string, string>>): void {
  declared.set(target, headers);
}

/** What a handler declares, or else its controller; undefined where neither does. */
export function answerHeadersOf(
  handler: object,
  controller: object,
): Readonly<Record<string, string>> | undefined {
  return declared.get(handler) ?? declared.get(controller);
}
