interface Pause {
  readonly timer: NodeJS.Timeout;
  isRepeated: boolean;
}

/**
 * Spares whoever is called the repetitions: the first call for a company goes out at once, and those that follow
 * within a pause become one call at its end.
 */
export class ThrottledCalls {
  private readonly pauses = new Map<string, Pause>();

  /**
   * @param pauseMs - milliseconds
   * @param call - must not throw
   */
  constructor(
    private readonly pauseMs: number,
    private readonly call: (companyId: string) => void,
  ) {}

  request(companyId: string): void {
    const pause = this.pauses.get(companyId);
    if (pause) pause.isRepeated = true;
    else this.send(companyId);
  }

  /** Ends all pauses. @returns the companies whose repeated call has not gone out */
  stop(): string[] {
    const pauses = [...this.pauses];
    this.pauses.clear();
    for (const [, { timer }] of pauses) clearTimeout(timer);
    return pauses.filter(([, { isRepeated }]) => isRepeated).map(([companyId]) => companyId);
  }

  private send(companyId: string): void {
    this.call(companyId);
    const timer = setTimeout(() => this.resume(companyId), this.pauseMs).unref();
    this.pauses.set(companyId, { timer, isRepeated: false });
  }

  private resume(companyId: string): void {
    const isRepeated = this.pauses.get(companyId)?.isRepeated;
    this.pauses.delete(companyId);
    if (isRepeated) this.send(companyId);
  }
}
