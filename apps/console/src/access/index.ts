import type { Entry, Session } from '@outcomes/accounts';
import type { Deed } from '@outcomes/audit';
import { AppError } from '@outcomes/contracts';
import { exchangeParameter, parseJson, writeJson, type AnswerWriter, type z } from '@outcomes/platform';
import { PreSerialised } from '@outcomes/read-model';

/** Who asks: nobody in particular, somebody who is signed in, or somebody inside a company. */
export interface Visitor {
  readonly session?: Session;
  readonly entry?: Entry;
}

/** Somebody inside the company that the address names, with the permission that the handler asks for. */
export type Visit = Entry & {
  readonly session: Session;
  /** What the administration log says of whatever he does now. */
  readonly deed: Deed;
};

/** @throws AppError NOT_SIGNED_IN, so a handler never runs for nobody */
export const SignedIn = exchangeParameter(({ caller }): Session => {
  const { session } = (caller ?? {}) as Visitor;
  if (!session) throw new AppError('NOT_SIGNED_IN');
  return session;
});

/** @throws AppError COMPANY_NOT_FOUND, so a handler never runs for no company */
export const Visiting = exchangeParameter(({ caller, requestId }): Visit => {
  const { session, entry } = (caller ?? {}) as Visitor;
  if (!session || !entry) throw new AppError('COMPANY_NOT_FOUND');
  return { ...entry, session, deed: { by: { type: 'user', id: session.userId }, requestId } };
});

/** The body, judged by a schema. @throws AppError INVALID_JSON, INVALID_PARAMETER naming the field */
export const JsonBody = (schema: z.ZodType) => exchangeParameter(({ body }) => judged(schema, read(body)))();

function read(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('INVALID_JSON', {}, { cause });
  }
}

function judged(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const parameter = issue?.path.join('.') ?? '';
  throw new AppError(
    'INVALID_PARAMETER',
    { parameter },
    { message: `${parameter || 'The body'}: ${issue?.message}` },
  );
}

/** What a handler returned, as JSON; documents of a run are spliced in as they are stored. */
export const writeAnswer: AnswerWriter = (exchange, data, status) => {
  if (!(data instanceof PreSerialised)) return writeJson(exchange, data, status);
  exchange.setHeader('Content-Type', 'application/json; charset=utf-8');
  exchange.sendBytes(status, data.bytes);
};
