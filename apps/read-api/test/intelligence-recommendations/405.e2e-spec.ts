import { answers } from '../status';

answers('/intelligence/recommendations', 405);
