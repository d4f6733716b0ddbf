import { answers } from '../status';

answers('/intelligence/contacts/{contactId}/decisions', 400);
