import type { NestExpressApplication } from '@nestjs/platform-express';
import { Admission, RequestBodies } from '@outcomes/limits';
import { IngestionService } from '@outcomes/ingestion';
import type { Exchange, FastRoute } from '@outcomes/platform';
import { requireMediaType } from '../body';
import { MAX_JSON_BYTES } from './events.controller';
import { preferencesOf } from './preferences.decorator';

/** POST /ingest/events on the fast path: what the guards and the handler of the controller do, in the same order. */
export function postedEvents(app: NestExpressApplication): FastRoute {
  const admission = app.get(Admission, { strict: false });
  const bodies = app.get(RequestBodies, { strict: false });
  const ingestion = app.get(IngestionService, { strict: false });

  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, setHeader } = exchange;
    const principal = await admission.pass(exchange, { access: 'events_write', countsQuota: true });
    requireMediaType(request.headers, 'application/json');
    const body = await bodies.read(exchange, principal, MAX_JSON_BYTES);
    const options = preferencesOf(request.headers, setHeader);
    const taken = await ingestion.ingestJson(principal.scope, body, options);
    setHeader('Content-Type', 'application/json; charset=utf-8');
    exchange.send(202, JSON.stringify(taken));
  };

  return { method: 'POST', path: '/ingest/events', takes: () => true, answer };
}
