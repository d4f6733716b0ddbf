import { answers } from '../status';

answers('/intelligence/calibration', 400);
