import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountPermission, KeyPurpose, Role } from '@outcomes/contracts';

/** What the console refused, in its words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string,
    readonly holders: readonly string[],
  ) {
    super(message);
  }
}

interface RefusalBody {
  readonly error?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly holders?: readonly string[];
}

/** @throws Refusal for whatever is no success, also where nothing answers */
export async function ask<Answer>(path: string, method = 'GET', body?: object): Promise<Answer> {
  const answer = await fetch(`/api/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  }).catch(() => {
    throw new Refusal(0, 'UNREACHABLE', 'The console does not answer. Check the connection.', '', []);
  });
  if (answer.ok) {
    const text = await answer.text();
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }
  const said = (await answer.json().catch(() => ({}))) as RefusalBody;
  const { error = 'UNKNOWN', message = 'Something went wrong.', requestId = '', holders = [] } = said;
  throw new Refusal(answer.status, error, message, requestId, holders);
}

export interface CompanyOfMine {
  readonly companyId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly role: Role;
  readonly permissions: readonly AccountPermission[];
}

export interface Me {
  readonly user: { readonly email: string };
  /** When the visit before this one ended, ISO 8601; null on a first visit. */
  readonly previousVisitAt: string | null;
  readonly companies: readonly CompanyOfMine[];
}

/** Everything that is claimed, and what is not. */
export const ALL_FINDINGS = 'intelligence/recommendations?limit=51';

export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => ask<Me>('me') });

/** An answer of the read model about one company. */
export const useAnswer = <Answer>(company: string, path: string) =>
  useQuery({ queryKey: [company, path], queryFn: () => ask<Answer>(`c/${company}/${path}`) });

/**
 * A page of a list of one company. The page before stays until the next is there, so that nothing moves, and nothing loses
 * the focus; that of another company never does.
 */
export const usePageOf = <Answer>(company: string, path: string) =>
  useQuery<Answer>({
    queryKey: [company, path],
    queryFn: () => ask<Answer>(`c/${company}/${path}`),
    placeholderData: (page, of) => (of?.queryKey[0] === company ? page : undefined),
  });

/** Something that is changed about a company; what was read of the same part is read anew. */
export function useChange<Given, Answer>(
  company: string,
  part: string,
  change: (given: Given) => { path?: string; method: string; body?: object },
) {
  const client = useQueryClient();
  return useMutation<Answer, Refusal, Given>({
    mutationFn: (given) => {
      const { path = '', method, body } = change(given);
      return ask<Answer>(`c/${company}/${part}${path}`, method, body);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [company, part] }),
  });
}

export interface KeyOfCompany {
  readonly keyId: string;
  readonly name: string;
  readonly purpose: KeyPurpose | null;
  readonly permissions: readonly string[];
  readonly state: 'active' | 'locked' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
}

export interface AgentAccess {
  readonly tenantId: string;
  readonly mostActiveKeys: number;
  readonly lifetimeDays: number;
  readonly addresses: { readonly mcp: string; readonly readApi: string; readonly ingestApi: string };
  readonly keys: readonly KeyOfCompany[];
}

export interface People {
  readonly people: readonly {
    readonly userId: string;
    readonly email: string;
    readonly role: Role;
    readonly since: string;
  }[];
  readonly invitations: readonly {
    readonly invitationId: string;
    readonly email: string;
    readonly role: Role;
    readonly expiresAt: string;
  }[];
}
