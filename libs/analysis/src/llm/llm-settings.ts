/** An endpoint that speaks the chat completions API of OpenAI, and how much may be sent to it. */
export interface LlmSettings {
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; empty where the endpoint asks for none. */
  readonly apiKey: string;
  readonly model: string;
  /** Messages of one company that may be sent per UTC day. */
  readonly dailyMessages: number;
  /** Longest wait for one answer. */
  readonly timeoutMs: number;
}

export const LLM_SETTINGS = Symbol('LlmSettings');
