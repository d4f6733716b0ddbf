import { answers } from '../status';

answers('POST /ingest/replays', 500);
