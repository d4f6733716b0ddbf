import { answers } from '../status';

answers('/patterns/analysis', 403);
