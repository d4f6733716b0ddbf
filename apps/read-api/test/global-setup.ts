import { startSharedServices } from '@outcomes/testing';
import { startReadApi } from './read-api-process';

export default (): Promise<void> => startSharedServices('read-api', startReadApi);
