import { answers } from '../status';

answers('/intelligence/campaigns/{campaignId}/health', 401);
