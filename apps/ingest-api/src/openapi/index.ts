import type { INestApplication } from '@nestjs/common';
import { describeDeprecations } from '@outcomes/deprecation';
import { describeApi } from '@outcomes/openapi';
import { INGEST_SCHEMAS } from './schemas';

export { DeleteEvent, DeleteRecipient } from './deletions.decorator';
export { PostCsv, PostEvents } from './operations.decorator';

const DESCRIPTION = `Takes the outcomes of outbound messages, and deletes them. Every request is about the one company that the
credential stands for.

**202 means stored.** Each event is judged on its own: the answer counts what was accepted and lists what was rejected
and why. Send a request again after a 503 or a broken connection: what was stored already counts once.

**Errors** of a whole request are \`{ success: false, error, message, requestId, timestamp }\` with fields of their own, and nothing
of the request is stored. Branch on \`error\`, which never changes.

**Limits.** At most 500 events or rows in a request. Requests count against a window of 15 minutes of their own
(\`RateLimit-*\`) and never against the monthly quota. Bodies may be compressed (gzip, deflate, br).`;

/** The OpenAPI description of this service. */
export function describeIngestApi(app: INestApplication) {
  const description = describeApi(app, {
    title: 'Outcomes: ingest API',
    description: DESCRIPTION,
    basePath: '',
    localOrigin: 'http://localhost:3002',
    takesApiKeyHeader: false,
    tags: { Ingestion: 'Outcomes in.', Deletion: 'Outcomes out, with everything derived from them.' },
    schemas: INGEST_SCHEMAS,
  });
  return describeDeprecations(app, description);
}
