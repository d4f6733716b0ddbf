import type { DynamicModule, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  createLogger,
  Management,
  PlatformModule,
  systemClock,
  type ServiceConfig,
} from '@outcomes/platform';
import { printDescription } from './describe-api';

export interface PreviewedService {
  readonly name: string;
  /** Makes settings of variables, as the service does when it starts. */
  readonly config: (variables: Readonly<Record<string, string>>) => ServiceConfig;
  readonly module: (platform: DynamicModule) => DynamicModule;
  readonly describe: (app: INestApplication) => OpenAPIObject;
}

/** Addresses that nobody asks. */
const NOWHERE = { DATABASE_URL: 'postgres://preview/preview', REDIS_URL: 'redis://preview' };

/** The description of a service as text, from a preview of the app: nothing is connected, nothing listens. */
export async function previewDescription({
  name,
  config,
  module,
  describe,
}: PreviewedService): Promise<string> {
  const platform = PlatformModule.register({
    clock: systemClock,
    config: config(NOWHERE),
    logger: createLogger(name, 'fatal'),
    management: new Management(name),
  });
  const app = await NestFactory.create(module(platform), { preview: true, logger: false });
  return printDescription(describe(app));
}
