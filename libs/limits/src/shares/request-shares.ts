import type { Held } from '@outcomes/platform';

/** Part of the capacity that companies may take beyond their share, so that there is always room for another. */
const COMMON = 3 / 4;

/** Companies that are remembered while they ask for nothing, so that a request alone makes no object. */
const MAX_KNOWN = 1_000;

export type ShareRefusal = 'share' | 'full';

/**
 * Requests under way, shared by company: while others ask for little, one may take three quarters of what there is;
 * from there on each is held to an equal part, and one part is kept for whoever comes next.
 */
export class RequestShares {
  private total = 0;
  /** Companies with a request under way. */
  private active = 0;
  private readonly companies = new Map<string, CompanyRequests>();

  /** @param capacity - requests of all companies together */
  constructor(private readonly capacity: number) {}

  /** Requests that are under way. */
  get size(): number {
    return this.total;
  }

  /**
   * Begins a request.
   * @returns what ends it when it is released, or why it may not begin
   */
  begin(companyId: string): Held | ShareRefusal {
    const known = this.companies.get(companyId);
    const inFlight = known?.inFlight ?? 0;
    if (this.total >= this.capacity) return inFlight === 0 ? 'full' : 'share';
    const isShared = this.total >= this.capacity * COMMON;
    if (isShared && inFlight >= this.capacity / (this.active + 1)) return 'share';
    const company = known ?? this.add(companyId);
    if (inFlight === 0) this.active += 1;
    company.inFlight += 1;
    this.total += 1;
    return company;
  }

  private add(companyId: string): CompanyRequests {
    if (this.companies.size >= MAX_KNOWN) this.forgetIdle();
    const company = new CompanyRequests(this.ended);
    this.companies.set(companyId, company);
    return company;
  }

  private readonly ended = (company: CompanyRequests): void => {
    company.inFlight -= 1;
    this.total -= 1;
    if (company.inFlight === 0) this.active -= 1;
  };

  private forgetIdle(): void {
    for (const [companyId, { inFlight }] of this.companies)
      if (inFlight === 0) this.companies.delete(companyId);
  }
}

/** Each of its requests holds the same object: there is nothing to tell them apart by. */
class CompanyRequests implements Held {
  inFlight = 0;

  constructor(private readonly ended: (company: CompanyRequests) => void) {}

  release(): void {
    this.ended(this);
  }
}
