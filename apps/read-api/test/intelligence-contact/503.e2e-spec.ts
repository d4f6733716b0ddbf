import { answers } from '../status';

answers('/intelligence/contacts/{contactId}', 503);
