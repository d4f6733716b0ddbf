import { answers } from '../status';

answers('/intelligence/audit', 304);
