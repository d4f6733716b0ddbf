import { answers } from '../status';

answers('DELETE /ingest/events/{event_id}', 401);
