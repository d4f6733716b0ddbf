/** A failure that the user can fix: one line says what is wrong, and what to do. */
export class CliFailure extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'CliFailure';
  }
}

/** The one line for any failure. Foreign errors are named by class and code: their texts may quote data. */
export function failureLine(error: unknown): string {
  if (error instanceof CliFailure) return error.message;
  if (!(error instanceof Error)) return 'something unexpected went wrong';
  const code = codeOf(error);
  const known = [code, error.name === 'AppError' ? causeOf(error) : undefined].filter(
    (part) => part !== undefined,
  );
  return `${error.message || error.name}${known.length > 0 ? ` (${known.join(': ')})` : ''}`;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Of an error for callers, who have a request id to ask by where this program has none. */
function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return [cause.name, codeOf(cause)].filter((part) => part !== undefined).join(' ');
}
