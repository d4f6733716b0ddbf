import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { exchangeOf } from '@outcomes/platform';
import type { Request } from 'express';
import { RequestPipeline, type Handler } from './request-pipeline.service';

/** The one guard: it takes the requests for which Nest found the handler through the pipeline. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(@Inject(RequestPipeline) private readonly pipeline: RequestPipeline) {}

  /** @throws AppError whatever refuses the request */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.pipeline.ruleOf(context.getHandler() as Handler, context.getClass());
    const request = context.switchToHttp().getRequest<Request>();
    await this.pipeline.enter(exchangeOf(request), rule, request.params);
    return true;
  }
}
