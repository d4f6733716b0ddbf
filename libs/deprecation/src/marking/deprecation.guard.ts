import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { deprecationOf } from './deprecated.decorator';
import { deprecationHeaders } from './deprecation-headers';

/** As much of an answer as the headers need. */
interface Answer {
  setHeader(name: string, value: string): unknown;
  appendHeader(name: string, value: string): unknown;
}

/**
 * Puts the headers on answers of marked operations. It lets everybody in: it is a guard because guards are the
 * first to know the handler, so that refusals of the guards after it carry the headers too.
 */
@Injectable()
export class DeprecationGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const deprecation = deprecationOf(context.getHandler(), context.getClass());
    if (deprecation !== undefined) {
      const answer = context.switchToHttp().getResponse<Answer>();
      const { Link, ...headers } = deprecationHeaders(deprecation);
      for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
      answer.appendHeader('Link', Link);
    }
    return true;
  }
}
