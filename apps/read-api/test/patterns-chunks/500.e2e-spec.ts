import { answers } from '../status';

answers('/patterns/chunks', 500);
