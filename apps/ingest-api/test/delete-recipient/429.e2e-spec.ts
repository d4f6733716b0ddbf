import { answers } from '../status';

answers('DELETE /ingest/events', 429);
