/** Who did something to an installation or a company. */
export interface Administrator {
  /**
   * operator: a person at the command line. user: somebody signed in to the console. api_key: whoever holds a key.
   * service: the installation itself.
   */
  readonly type: 'operator' | 'user' | 'api_key' | 'service';
  /** 1 to 128 characters: a login name, a user's id, a key id. No e-mail address. */
  readonly id: string;
}

/** What an installation does by itself. */
export const THE_SERVICE: Administrator = Object.freeze({ type: 'service', id: 'outcomes' });

/** Whose log has what concerns no company, or one that is gone. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

/** What was done to what, e.g. key.revoke: two words of small letters and underscores. */
export type AdministrativeAction = `${string}.${string}`;

export type AdministrativeDetails = Readonly<
  Record<string, string | number | boolean | null | readonly string[]>
>;

/** Who does something now. */
export interface Deed {
  readonly by: Administrator;
  /** Whom a key says it acts for (X-Actor-Type and X-Actor-Id), e.g. agent:sdr-7. */
  readonly onBehalfOf?: string;
  readonly requestId?: string;
}

/** A deed of nobody in particular. */
export const BY_THE_SERVICE: Deed = Object.freeze({ by: THE_SERVICE });

/** One deed of an administrator, as it is kept. It names no person but the administrator, and holds no secret. */
export interface AdministrativeEntry extends Deed {
  readonly action: AdministrativeAction;
  /** Id of what it was done to; a hash where that would be personal data. Null where it was the company itself. */
  readonly subject: string | null;
  /** Whole numbers, texts and lists of texts; 4 KiB of JSON at most. */
  readonly details?: AdministrativeDetails;
  readonly occurredAt: Date;
}

/** An entry as it stands in the log. */
export interface RecordedEntry extends Required<Omit<AdministrativeEntry, 'requestId' | 'onBehalfOf'>> {
  readonly companyId: string;
  /** 1, 2, 3, … per company. */
  readonly entryNo: number;
  readonly requestId: string | null;
  /** Seal of the entry before, 32 bytes; zeros for the first. */
  readonly previousSha256: Buffer;
  /** SHA-256 of this entry with the seal of the one before, 32 bytes. */
  readonly sealSha256: Buffer;
}
