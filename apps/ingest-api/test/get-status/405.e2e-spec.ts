import { answers } from '../status';

answers('GET /ingest/status', 405);
