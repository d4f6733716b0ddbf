import { answers } from '../status';

answers('/patterns/recipients', 405);
