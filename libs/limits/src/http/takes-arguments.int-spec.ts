import { Controller, Get, Module, Post } from '@nestjs/common';
import { RequirePermission } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import { limitsFixture, type LimitsFixture } from '../../test/limits-fixture';
import { LimitsModule } from '../limits.module';
import { Direct } from './direct.decorator';
import { serveDirectly } from './serve-directly';
import { Given, TakesArguments, type RequestAddress } from './takes-arguments.decorator';
import { RawBody, TakesBody } from './takes-body.decorator';

/** Takes `a`, and whatever stands in the path. */
function readA({ path, query }: RequestAddress): object {
  const stray = Object.keys(query).find((name) => name !== 'a');
  if (stray !== undefined) throw new AppError('INVALID_PARAMETER', { parameter: stray });
  return { ...path, ...query };
}

/** Nothing that can be asked is right: whoever is answered was not judged. */
function refuseAll(): never {
  throw new AppError('INVALID_PARAMETER', { parameter: 'all' });
}

@Controller()
@RequirePermission('analytics_read')
class AskedController {
  @Get('direct')
  @Direct()
  @TakesArguments(readA)
  direct(@Given() given: object) {
    return { given };
  }

  @Get('refused')
  @Direct()
  @TakesArguments(refuseAll)
  refused() {
    return {};
  }

  @Post('taken')
  @Direct()
  @TakesBody('application/json', 8)
  taken(@RawBody() body: Buffer) {
    return { body: String(body) };
  }

  @Post('taken/:id')
  @TakesBody('application/json', 8)
  takenByNest(@RawBody() body: Buffer) {
    return { body: String(body) };
  }

  @Get('placed/:id')
  @TakesArguments(readA)
  placed(@Given() given: object) {
    return { given };
  }
}

@Module({ imports: [LimitsModule.register({ surface: 'read' })], controllers: [AskedController] })
class AskedModule {}

describe('the arguments of a handler', () => {
  let fixture: LimitsFixture;
  let url: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    fixture = await limitsFixture();
    ({ url } = await fixture.served(AskedModule, {}, (app, http) => {
      http.writer = (exchange, data, status) => exchange.send(status, JSON.stringify(data));
      serveDirectly(app, http, [AskedController]);
    }));
    headers = { Authorization: `Bearer ${(await fixture.newKey()).apiKey}` };
  });
  afterAll(() => fixture.stop());

  const call = async (path: string, by = headers) => {
    const answer = await fetch(`${url}/${path}`, { headers: by });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it.each([
    ['direct', {}],
    ['direct?', {}],
    ['direct?a=1', { a: '1' }],
    ['placed/x%20y?a=1&a=2', { id: 'x y', a: ['1', '2'] }],
  ])('are read from the address, with Nest and without: %s', async (path, given) => {
    expect(await call(path)).toEqual({ status: 200, body: { given } });
  });

  // Mutation: arguments are judged by an interceptor of Nest. Then the first is answered.
  it.each(['refused', 'refused?', 'direct?b=1', 'placed/x?b=1'])(
    'are judged, with Nest and without: %s',
    async (path) => {
      expect(await call(path)).toMatchObject({ status: 400, body: { error: 'INVALID_PARAMETER' } });
    },
  );

  it('are judged behind the admission', async () => {
    expect(await call('refused', {})).toMatchObject({ status: 401, body: { error: 'missing_token' } });
  });

  it.each(['taken', 'taken/x'])(
    'and its body are judged behind the admission, with Nest and without: %s',
    async (path) => {
      const post = async (body: string, type = 'application/json', by = headers) => {
        const sent = { ...by, 'Content-Type': type };
        const answer = await fetch(`${url}/${path}`, { method: 'POST', body, headers: sent });
        return [answer.status, await answer.json()];
      };
      const refused = (error: string) => expect.objectContaining({ error });
      expect(await post('12345678')).toEqual([201, { body: '12345678' }]);
      expect(await post('123456789')).toEqual([413, refused('PAYLOAD_TOO_LARGE')]);
      expect(await post('{}', 'text/plain')).toEqual([415, refused('UNSUPPORTED_MEDIA_TYPE')]);
      // Mutation: who has no key is told what is wrong with the body, which somebody had to read.
      expect(await post('123456789', 'text/plain', {})).toEqual([401, refused('missing_token')]);
    },
  );
});
