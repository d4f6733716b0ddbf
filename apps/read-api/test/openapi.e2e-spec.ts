import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itDescribesItself } from '@outcomes/testing';
import { ENDPOINT_NAMES } from './endpoints';

itDescribesItself({
  app: 'read-api',
  text: readFileSync(join(__dirname, '../openapi.json'), 'utf8'),
  tested: ENDPOINT_NAMES.map((path) => `GET ${path}`),
});
