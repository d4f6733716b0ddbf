import type { INestApplication } from '@nestjs/common';
import { describeDeprecations } from '@outcomes/deprecation';
import { describeApi } from '@outcomes/openapi';
import { DELIVERY_SCHEMAS } from './delivery-operations.decorator';
import { INGEST_SCHEMAS } from './ingest-answers.schema';
import { SOURCE_SCHEMAS } from './source-operations.decorator';
import { STATUS_SCHEMAS } from './status.schema';

const DESCRIPTION = `Takes the outcomes of outbound messages, and deletes them. Every request is about the one company that the
credential stands for.

**202 means stored.** Each event is judged on its own: the answer counts what was accepted and lists what was rejected
and why. Send a request again after a 503 or a broken connection: what was stored already counts once.

**An opt-out or a bounce of a rejected event holds at once** where the event names its recipient and the outcome \`unsubscribed\` or
\`bounced\`, whatever is wrong with the rest: \`taken_anyway\` lists it. Nothing else of a rejected event has any effect: correct it and
send it again. Of a request that is refused as a whole nothing holds.

**A message** is what one recipient got on one channel, in one thread and step, at one second (\`sent_at\`). Every event about it is a
fact of it, and they may come in any order, together or over months: its outcomes, and with \`fact\` that it was \`sent\`,
\`opened\` or \`clicked\`, that a machine answered (\`auto_replied\`), or that a meeting came of it (\`meeting_booked\`). \`message_ref\`,
the sending tool's id of the message, stands in for \`sent_at\`. Silence need not be reported: a message that was \`sent\` counts as
unanswered once its time for replies is over. No later event lifts an opt-out (\`unsubscribed\`).

**The same event counts once.** With the same \`event_id\`, given or derived, and other content it is rejected with
\`EVENT_ID_CONFLICT\`, and the first version stands: send what is new as an event of its own. \`null\` in an optional field
means that it is absent.

**Stored, counted, analysed.** Events are counted within seconds. On a company's first day an analysis follows once five seconds
passed without further events; later it comes every night, and when a company has grown by a tenth. \`GET /ingest/status\` says how
far everything is, \`POST /ingest/analysis\` asks for an analysis now.

**Outreach tools** may deliver by themselves to \`POST /ingest/sources/{source}\`, each in a form of its own. \`outcomes sources create\` makes that address; \`GET /ingest/sources\` says what came.

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
    tags: {
      Ingestion: 'Outcomes in.',
      Deletion: 'Outcomes out, with everything derived from them.',
      Sources:
        'What outreach tools deliver by themselves. `outcomes sources create` makes the address that a tool posts to.',
      Processing: 'How far what was sent is counted and analysed.',
    },
    schemas: { ...INGEST_SCHEMAS, ...STATUS_SCHEMAS, ...SOURCE_SCHEMAS, ...DELIVERY_SCHEMAS },
  });
  return describeDeprecations(app, description);
}
