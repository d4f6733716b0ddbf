import { Inject, Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { exchangeOf } from '@outcomes/platform';
import type { Request } from 'express';
import { queryNamesOf, requireKnownQuery } from './known-query';
import { RequestPipeline } from './request-pipeline.service';

/** The one guard: it takes the requests for which Nest found the handler through the pipeline. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly queries = new WeakMap<object, { readonly names: readonly string[] | undefined }>();

  constructor(@Inject(RequestPipeline) private readonly pipeline: RequestPipeline) {}

  /** @throws AppError whatever refuses the request */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const handler = context.getHandler() as (...given: unknown[]) => unknown;
    await this.pipeline.enter(exchangeOf(request), this.pipeline.ruleOf(handler, context.getClass()));
    const { names } = this.queryOf(handler, context.getClass());
    if (names) requireKnownQuery(request.query, names);
    return true;
  }

  private queryOf(handler: object & { readonly name: string }, controller: Type) {
    const known = this.queries.get(handler);
    if (known) return known;
    const query = { names: queryNamesOf(controller, handler.name) };
    this.queries.set(handler, query);
    return query;
  }
}
