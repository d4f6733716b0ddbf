import type { INestApplication } from '@nestjs/common';
import { envelopeSchemaOf, QUESTIONS, RESULT_SCHEMAS } from '@outcomes/contracts';
import { describeDeprecations } from '@outcomes/deprecation';
import { describeApi } from '@outcomes/openapi';
import { answerName } from './read.decorator';

export const BASE_PATH = '/v1';

const DESCRIPTION = `What the outcomes of a company's outbound messages say: message patterns, recipients, reply-rate posteriors, drift,
decisions and the audit log of agents' calls. Read-only; every answer is about the one company that the credential stands for.

**Envelope.** Every success is \`{ success: true, message, data, timestamp }\`; beside documents of a run stand its times
(\`analysed_at\`, \`data_as_of\`, \`newest_outcome_at\`) and whether to act on its numbers. Errors are
\`{ success: false, error, message, requestId, timestamp }\` with fields of their own; branch on \`error\`, which never changes.

**Limits.** Requests count against a window of 15 minutes and a calendar month; \`RateLimit-*\` and \`X-Quota-*\` say what
is left. Errors, answers 304 and \`/health\` leave the month alone. Wait \`Retry-After\` seconds after a 429 or 503.

**Caching.** Answers but those of \`/health\` carry an \`ETag\`. Send it back in \`If-None-Match\`: where nothing changed you get 304 without a body.
HEAD is taken wherever GET is.

**Change.** Within /v1 fields are only ever added: ignore the ones that you do not know.`;

/** Results, and the envelopes around them, by name. */
const SCHEMAS = {
  ...RESULT_SCHEMAS,
  ...Object.fromEntries(QUESTIONS.map((question) => [answerName(question.name), envelopeSchemaOf(question)])),
};

/** The OpenAPI description of this service. */
export function describeReadApi(app: INestApplication) {
  const description = describeApi(app, {
    title: 'Outcomes: read API',
    description: DESCRIPTION,
    basePath: BASE_PATH,
    localOrigin: 'http://localhost:3001',
    takesApiKeyHeader: true,
    tags: {
      Health: 'Who the credential stands for, what it has left, and what works.',
      Patterns: 'What the daily run found in the messages of the company.',
      Intelligence:
        'The answers of the MCP tools, in the envelope of this API. Arguments have the same names on both.',
    },
    schemas: SCHEMAS,
  });
  return describeDeprecations(app, description);
}
