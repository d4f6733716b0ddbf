import { answers } from '../status';

answers('/suppressions', 405);
