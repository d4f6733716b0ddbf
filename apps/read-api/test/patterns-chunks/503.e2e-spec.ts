import { answers } from '../status';

answers('/patterns/chunks', 503);
