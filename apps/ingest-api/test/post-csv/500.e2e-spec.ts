import { answers } from '../status';

answers('POST /ingest/csv', 500);
