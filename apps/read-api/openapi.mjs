// Writes the API description into openapi.json, so that a change of it is seen in a diff.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import preview from './dist/openapi/preview.document.js';

writeFileSync(join(import.meta.dirname, 'openapi.json'), await preview.describedReadApi());
