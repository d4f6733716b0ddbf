import { answers } from '../status';

answers('/patterns/analysis', 503);
