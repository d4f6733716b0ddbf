import type { NestExpressApplication } from '@nestjs/platform-express';
import { Admission } from '@outcomes/limits';
import { IngestionService } from '@outcomes/ingestion';
import { arrivedBody, hasPlainBody, readBody, SERVICE_CONFIG } from '@outcomes/platform';
import type { Exchange, FastRoute } from '@outcomes/platform';
import { BodyBudget } from '../body/body-budget.service';
import { requireMediaType } from '../body';
import type { IngestApiConfig } from '../ingest-api.config';
import { MAX_JSON_BYTES } from './events.controller';
import { preferencesOf } from './preferences.decorator';

/**
 * POST /ingest/events on the fast path: what the guards and the handler of the controller do, in the same order.
 * Compressed bodies, and those that do not say how long they are, are left to the controller.
 */
export function postedEvents(app: NestExpressApplication): FastRoute {
  const admission = app.get(Admission, { strict: false });
  const budget = app.get(BodyBudget, { strict: false });
  const ingestion = app.get(IngestionService, { strict: false });
  const { BODY_TIMEOUT_MS } = app.get<IngestApiConfig>(SERVICE_CONFIG, { strict: false });

  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, response, setHeader } = exchange;
    const { scope, companyId } = await admission.pass(exchange, {
      access: 'events_write',
      countsQuota: true,
    });
    requireMediaType(request.headers, 'application/json');
    budget.reserve(companyId, request, response, MAX_JSON_BYTES);
    const body = arrivedBody(request) ?? (await bodyOf(exchange, BODY_TIMEOUT_MS));
    const options = preferencesOf(request.headers, setHeader);
    const taken = await ingestion.ingestJson(scope, body, options);
    setHeader('Content-Type', 'application/json; charset=utf-8');
    exchange.send(202, JSON.stringify(taken));
  };

  return {
    method: 'POST',
    path: '/ingest/events',
    takes: (request) => hasPlainBody(request, MAX_JSON_BYTES),
    answer,
  };
}

async function bodyOf({ request, setHeader }: Exchange, timeoutMs: number): Promise<Buffer> {
  try {
    return await readBody(request, timeoutMs);
  } catch (error) {
    // What is left of the body is not wanted any more, so the connection cannot serve another request.
    setHeader('Connection', 'close');
    throw error;
  }
}
