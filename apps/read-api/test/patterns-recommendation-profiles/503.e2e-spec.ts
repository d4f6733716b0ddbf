import { answers } from '../status';

answers('/patterns/recommendation-profiles', 503);
