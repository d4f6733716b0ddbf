import { answers } from '../status';

answers('/intelligence/campaigns', 400);
