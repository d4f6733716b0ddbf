import { answers } from '../status';

answers('POST /ingest/analysis', 500);
