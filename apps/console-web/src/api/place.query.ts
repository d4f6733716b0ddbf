import { useParams, useSearch } from '@tanstack/react-router';

/** What the address of a page names. */
export interface Place {
  readonly company: string;
  readonly code: string;
  readonly campaign: string;
  readonly decision: string;
}

export function usePlace(): Place {
  const named: unknown = useParams({ strict: false });
  const { company = '', code = '', campaign = '', decision = '' } = named as Partial<Place>;
  return { company, code, campaign, decision };
}

/** What the address of the sign-in says. */
export interface SignInSearch {
  /** Path that whoever signs in comes from. */
  readonly to?: string;
  /** Code of the error with which the identity provider or the console refused. */
  readonly refused?: string;
}

export function useSignInSearch(): SignInSearch {
  const asked: unknown = useSearch({ strict: false });
  return asked as SignInSearch;
}

/** Whether the address asks for hints beside what is claimed. */
export function useHints(): boolean {
  const asked: unknown = useSearch({ strict: false });
  return (asked as { readonly hints?: boolean }).hints === true;
}
