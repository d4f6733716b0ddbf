export interface Finding {
  readonly check: string;
  /** unknown where it could not be looked at, which is no fault of the installation. */
  readonly state: 'ok' | 'fault' | 'unknown';
  /** What was seen; for a fault also what to do. */
  readonly detail: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

export function fault(check: string, detail: string): Finding {
  return { check, state: 'fault', detail };
}

export function unknown(check: string, detail: string): Finding {
  return { check, state: 'unknown', detail };
}
