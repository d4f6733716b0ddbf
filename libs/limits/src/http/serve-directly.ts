import type { INestApplication, Type } from '@nestjs/common';
import type { HttpAdapter } from '@outcomes/platform';
import { RequestPipeline } from './request-pipeline.service';

/**
 * Has the `@Direct` handlers of controllers called from node:http. Call it when `http.writer` is set, and before the
 * app listens.
 * @param basePath - what stands before the paths of the controllers
 */
export function serveDirectly(
  app: INestApplication,
  http: HttpAdapter,
  controllers: readonly Type<object>[],
  basePath = '',
): void {
  const pipeline = app.get(RequestPipeline, { strict: false });
  for (const controller of controllers) {
    const instance = app.get(controller, { strict: false });
    http.serve(pipeline.directRoutes(instance, basePath, http.writer));
  }
}
