import { answers } from '../status';

answers('/intelligence/decisions', 400);
