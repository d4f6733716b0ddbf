import { answers } from '../status';

answers('/patterns/descriptions', 503);
