import { answers } from '../status';

answers('/intelligence/recommendations', 429);
