import { itDescribesItself } from '@outcomes/testing';
import { DESCRIPTION_TEXT } from './description';
import { ENDPOINTS, RECEIVERS } from './every-endpoint/endpoints';

itDescribesItself({
  app: 'ingest-api',
  text: DESCRIPTION_TEXT,
  tested: [...ENDPOINTS, ...RECEIVERS].map(({ name }) => name),
});
