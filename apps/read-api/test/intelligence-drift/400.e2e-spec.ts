import { answers } from '../status';

answers('/intelligence/drift', 400);
