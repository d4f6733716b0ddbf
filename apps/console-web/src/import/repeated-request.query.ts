const MOST_ATTEMPTS = 6;
/** Doubled with every attempt: half a minute in all, in which a service starts again. */
const FIRST_WAIT_MS = 1_000;
/** A longer `Retry-After` is for another time: nobody watches a page that long. */
const LONGEST_WAIT_MS = 60_000;
/** Longer than a request of the largest size takes over a slow line. */
const LONGEST_ATTEMPT_MS = 120_000;

/** What became of an attempt: an answer, or why not, and where another may help, after which wait. */
type Attempt<Answer> =
  { readonly answer: Answer } | { readonly message: string; readonly waitMs?: number | undefined };

/**
 * Sends a request until it is answered; what it changes, it has to change once however often it arrives.
 * @param onWait - told before each wait for another attempt
 * @throws Error with a sentence for whoever sent it
 */
export async function sendUntilAnswered<Answer>(
  path: string,
  request: RequestInit,
  onWait: () => void,
): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const attempt = await attemptOf<Answer>(path, request, FIRST_WAIT_MS * 2 ** (attempts - 1));
    if ('answer' in attempt) return attempt.answer;
    const { message, waitMs } = attempt;
    if (waitMs === undefined || waitMs > LONGEST_WAIT_MS) throw new Error(message);
    if (attempts >= MOST_ATTEMPTS)
      throw new Error(`The console did not take the rows in ${attempts} attempts.`);
    onWait();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function attemptOf<Answer>(
  path: string,
  request: RequestInit,
  backOffMs: number,
): Promise<Attempt<Answer>> {
  try {
    const response = await fetch(path, { ...request, signal: AbortSignal.timeout(LONGEST_ATTEMPT_MS) });
    const { status, headers } = response;
    const said = bodyOf(await response.text());
    if (response.ok && said !== undefined) return { answer: said as Answer };
    // A page in place of an answer is a proxy's, whose words help nobody.
    const message =
      (said as { message?: string } | undefined)?.message ??
      `The console did not take the rows: something on the way answered ${status}.`;
    const mayPass = status === 408 || status === 429 || status >= 500;
    return { message, waitMs: mayPass ? (retryAfterMs(headers) ?? backOffMs) : undefined };
  } catch {
    return { message: 'The console does not answer.', waitMs: backOffMs };
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number of seconds, or the time until a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
