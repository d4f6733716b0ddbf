import { answers } from '../status';

answers('POST /ingest/events', 403);
