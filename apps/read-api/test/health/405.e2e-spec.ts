import { answers } from '../status';

answers('/health', 405);
