import { answers } from '../status';

answers('/intelligence/decisions', 403);
