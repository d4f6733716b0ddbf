import { setTimeout as wait } from 'node:timers/promises';
import type { LlmSettings } from './llm-settings';

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** Why there is no answer: never what was sent or received. */
export type ChatFailure =
  'timed_out' | 'unreachable' | 'refused' | 'overloaded' | 'not_understood' | 'stopped';
export type ChatAnswer = { readonly content: string } | { readonly failure: ChatFailure };

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 1_200;

/**
 * One question to the model. Tries three times where another attempt may help, each within the time limit.
 * @param stop - ends the attempt, e.g. when the process stops
 * @returns the text of the answer, at most 256 KiB, or why there is none; never throws
 */
export async function askModel(
  settings: LlmSettings,
  messages: readonly ChatMessage[],
  stop: AbortSignal,
): Promise<ChatAnswer> {
  let failure: ChatFailure = 'unreachable';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (stop.aborted) return { failure: 'stopped' };
    const result = await attemptOnce(settings, messages, stop);
    if ('content' in result) return result;
    failure = result.failure;
    if (result.pauseMs === undefined || attempt === ATTEMPTS - 1) break;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(result.pauseMs, FIRST_PAUSE_MS * 2 ** attempt));
    await wait(pause, undefined, { signal: stop }).catch(() => undefined);
  }
  return { failure };
}

type Attempt = { readonly content: string } | { readonly failure: ChatFailure; readonly pauseMs?: number };

async function attemptOnce(
  { baseUrl, apiKey, model, timeoutMs }: LlmSettings,
  messages: readonly ChatMessage[],
  stop: AbortSignal,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(apiKey !== '' && { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        messages,
        temperature: 0,
        max_tokens: MAX_TOKENS,
        response_format: { type: 'json_object' },
      }),
      // The key and the messages are for the configured address alone.
      redirect: 'error',
      signal: AbortSignal.any([stop, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status === 429 || response.status >= 500) {
        const seconds = Number(response.headers.get('retry-after') ?? 0);
        return {
          failure: 'overloaded',
          pauseMs: Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0,
        };
      }
      return { failure: 'refused' };
    }
    const content = contentOf(await boundedText(response));
    return content === undefined ? { failure: 'not_understood' } : { content };
  } catch {
    if (stop.aborted) return { failure: 'stopped' };
    return { failure: timeout.aborted ? 'timed_out' : 'unreachable', pauseMs: 0 };
  }
}

/** The body, or an empty text where it is longer than an answer can be. */
async function boundedText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return '';
  for await (const part of body) {
    size += part.length;
    if (size > MAX_BYTES) return '';
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function contentOf(body: string): string | undefined {
  try {
    const parsed = JSON.parse(body) as { choices?: { message?: { content?: unknown } }[] } | null;
    const content = parsed?.choices?.[0]?.message?.content;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}
