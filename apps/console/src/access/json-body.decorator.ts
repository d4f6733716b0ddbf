import { AppError } from '@outcomes/contracts';
import { exchangeParameter, parseJson, type z } from '@outcomes/platform';

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
