import { answers } from '../status';

answers('/patterns/chunks/{metricName}', 401);
