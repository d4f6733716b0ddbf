import { RedisTimeout, type Redis } from './create-redis';

/** How long callers are spared a Redis that let a command time out, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Lets commands through while Redis answers. A Redis that is away costs nobody a wait: the caller is told at
 * once, and a frozen one is tried again by a single caller each second.
 */
export class RedisGate {
  private closedUntilMs = 0;
  private failing = false;

  /** @param onChange - told when Redis stops or resumes answering; the error is of the stopping kind */
  constructor(
    private readonly redis: Redis,
    private readonly onChange: (answers: boolean, error?: unknown) => void = () => undefined,
  ) {}

  /** Whether the connection stands and no command went unanswered within the last second. */
  get answers(): boolean {
    return this.redis.status === 'ready' && performance.now() >= this.closedUntilMs;
  }

  /**
   * @param onLateReply - told what Redis answers, text as bytes, to the command of the work that it did not answer in time: it
   * has done what the caller takes for not done
   * @returns what the work returns, or undefined where Redis did not answer
   */
  async use<Result>(
    work: (redis: Redis) => Promise<Result>,
    onLateReply?: (reply: unknown) => void,
  ): Promise<Result | undefined> {
    if (!this.answers) return undefined;
    if (this.failing) this.closedUntilMs = performance.now() + PAUSE_MS;
    try {
      const result = await work(this.redis);
      if (this.failing) {
        this.failing = false;
        this.closedUntilMs = 0;
        this.onChange(true);
      }
      return result;
    } catch (error) {
      this.closedUntilMs = performance.now() + PAUSE_MS;
      if (!this.failing) this.onChange(false, error);
      this.failing = true;
      if (onLateReply && error instanceof RedisTimeout) void error.reply.then(onLateReply);
      return undefined;
    }
  }
}
