import { answers } from '../status';

answers('/patterns/contact-insights', 405);
