import { answers } from '../status';

answers('/intelligence/campaigns/health', 400);
