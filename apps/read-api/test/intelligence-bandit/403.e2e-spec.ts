import { answers } from '../status';

answers('/intelligence/bandit', 403);
