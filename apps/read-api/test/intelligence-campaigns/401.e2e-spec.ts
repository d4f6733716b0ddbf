import { answers } from '../status';

answers('/intelligence/campaigns', 401);
