import { answers } from '../status';

answers('/patterns', 400);
