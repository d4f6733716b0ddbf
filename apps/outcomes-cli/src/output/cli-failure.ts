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
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message || error.name}${code}`;
}
