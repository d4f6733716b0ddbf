import 'reflect-metadata';
import { previewDescription } from '@outcomes/openapi';
import { describeReadApi } from './read-api.document';
import { readApiConfig } from '../read-api.config';
import { ReadApiModule, SERVICE_NAME } from '../read-api.module';

/** The description as text. */
export const describedReadApi = (): Promise<string> =>
  previewDescription({
    name: SERVICE_NAME,
    config: readApiConfig,
    module: (platform) => ReadApiModule.register(platform),
    describe: describeReadApi,
  });
