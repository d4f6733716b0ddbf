/** Whose body it is. */
export interface BodyOwner {
  readonly companyId: string;
  readonly keyId: string;
}

/** Part of the memory that one company may hold, so that there is always room for another. */
const COMPANY_SHARE = 3 / 4;
/** A body is not called slow for its first instants. */
const YOUNG_MS = 1_000;

interface CompanyBodies {
  bytes: number;
  readonly arriving: Set<HeldBody>;
  /** All that hold memory. */
  bodies: number;
}

/** A body that takes memory, from its first byte until the answer is out. */
export interface HeldBody {
  readonly owner: BodyOwner;
  readonly startedMs: number;
  readonly bytes: number;
}

interface Body extends HeldBody {
  bytes: number;
  /** Told that the body must go; undefined once it is here as a whole. */
  evict: (() => void) | undefined;
}

/**
 * The memory of all bodies together, charged as it is taken and shared fairly: a company may take what nobody else
 * needs, and where there is no room left, the company that holds most loses its slowest body.
 */
export class BodyLedger {
  private held = 0;
  private readonly companies = new Map<string, CompanyBodies>();

  /**
   * @param capacity - bytes of all bodies together
   * @param mostArriving - bodies that one key may have on its way at the same time; all keys of a company twice as many
   * @param now - monotonic milliseconds
   */
  constructor(
    private readonly capacity: number,
    private readonly mostArriving: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Bytes that are held now. */
  get bytes(): number {
    return this.held;
  }

  /** Whether an owner may have one more body on its way. */
  mayBegin({ companyId, keyId }: BodyOwner): boolean {
    const arriving = this.companies.get(companyId)?.arriving;
    if (!arriving || arriving.size < this.mostArriving) return true;
    if (arriving.size >= 2 * this.mostArriving) return false;
    let ofKey = 0;
    for (const { owner } of arriving) ofKey += Number(owner.keyId === keyId);
    return ofKey < this.mostArriving;
  }

  /** @param evict - told where the body has to give way while it arrives; not given for one that is here already */
  begin(owner: BodyOwner, evict?: () => void): HeldBody {
    const body: Body = { owner, startedMs: this.now(), bytes: 0, evict };
    const company = this.companyOf(owner);
    company.bodies += 1;
    if (evict) company.arriving.add(body);
    return body;
  }

  /**
   * Charges what has arrived of a body.
   * @returns false where there is no room for it, and nothing was charged
   */
  grow(held: HeldBody, bytes: number): boolean {
    const body = held as Body;
    const company = this.companyOf(body.owner);
    while (this.held + bytes > this.capacity || company.bytes + bytes > this.capacity * COMPANY_SHARE) {
      const victim = this.victim(company, bytes);
      if (!victim || victim === body) return false;
      this.evict(victim);
    }
    this.held += bytes;
    company.bytes += bytes;
    body.bytes += bytes;
    return true;
  }

  /** The body is here as a whole: it cannot be asked to give way any more. */
  complete(held: HeldBody): void {
    const body = held as Body;
    body.evict = undefined;
    this.companyOf(body.owner).arriving.delete(body);
  }

  /** Gives back what a body takes. */
  end(held: HeldBody): void {
    const body = held as Body;
    const company = this.companyOf(body.owner);
    this.complete(body);
    this.held -= body.bytes;
    company.bytes -= body.bytes;
    body.bytes = 0;
    company.bodies -= 1;
    if (company.bodies === 0) this.companies.delete(body.owner.companyId);
  }

  /** The slowest body of the company that would hold most, where it is on its way. */
  private victim(asking: CompanyBodies, bytes: number): Body | undefined {
    // Where it asks for more than one company may hold, nobody can hold more than that.
    let from = asking;
    let most = asking.bytes + bytes;
    for (const company of this.companies.values()) {
      if (company.arriving.size === 0 || company.bytes <= most) continue;
      most = company.bytes;
      from = company;
    }
    const now = this.now();
    const rateOf = (body: HeldBody) => body.bytes / Math.max(YOUNG_MS, now - body.startedMs);
    let slowest: Body | undefined;
    for (const body of from.arriving as Set<Body>) {
      if (!slowest || rateOf(body) < rateOf(slowest)) slowest = body;
    }
    return slowest;
  }

  private evict(body: Body): void {
    const { evict } = body;
    // What it held is free at once; its reader ends it once more, for nothing.
    const company = this.companyOf(body.owner);
    this.held -= body.bytes;
    company.bytes -= body.bytes;
    body.bytes = 0;
    this.complete(body);
    evict?.();
  }

  private companyOf({ companyId }: BodyOwner): CompanyBodies {
    const known = this.companies.get(companyId);
    if (known) return known;
    const company: CompanyBodies = { bytes: 0, arriving: new Set(), bodies: 0 };
    this.companies.set(companyId, company);
    return company;
  }
}
