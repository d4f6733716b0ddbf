import { answers } from '../status';

answers('GET /ingest/sources', 403);
