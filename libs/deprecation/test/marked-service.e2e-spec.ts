import { Controller, Get, Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { AppError } from '@outcomes/contracts';
import { describeApi } from '@outcomes/openapi';
import { Management, prepareHttp, serviceConfigSchema } from '@outcomes/platform';
import { Deprecated, deprecationHeaders, DeprecationModule, describeDeprecations } from '../src';
import { SAMPLE } from './sample';

type Application = Parameters<typeof prepareHttp>[0];

let refusing = false;

@Injectable()
class RefusingGuard implements CanActivate {
  canActivate(): boolean {
    if (refusing) throw new AppError('invalid_token');
    return true;
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: RefusingGuard }] })
class AccessModule {}

const unavailable = () => {
  throw new AppError('SERVICE_UNAVAILABLE');
};

@Controller('v1')
@UseGuards(RefusingGuard)
class SampleController {
  @Get('old')
  @Deprecated(SAMPLE.id, [SAMPLE])
  old() {
    return { ok: true };
  }

  @Get('old/broken')
  @Deprecated(SAMPLE.id, [SAMPLE])
  broken() {
    return unavailable();
  }

  @Get('new')
  fresh() {
    return { ok: true };
  }
}

const HEADERS = ['deprecation', 'sunset', 'link'];
const EXPECTED = Object.values(deprecationHeaders(SAMPLE));

describe('a service with a deprecated operation', () => {
  let app: Application;
  let origin: string;

  const start = async (catalogue: readonly (typeof SAMPLE)[]) => {
    @Module({
      imports: [DeprecationModule.register(catalogue), AccessModule],
      controllers: [SampleController],
    })
    class SampleModule {}
    const started = await NestFactory.create<Application>(SampleModule, { logger: false });
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: 'redis://unused',
      LOG_LEVEL: 'silent',
    });
    prepareHttp(started, new Management('sample'), config, 'sample');
    await started.listen(0, '127.0.0.1');
    return started;
  };
  const headersOf = async (path: string, from = origin) => {
    const answer = await fetch(`${from}${path}`, { signal: AbortSignal.timeout(10_000) });
    await answer.text();
    return [answer.status, ...HEADERS.map((name) => answer.headers.get(name))];
  };

  beforeAll(async () => {
    app = await start([SAMPLE]);
    origin = await app.getUrl();
  });
  afterAll(() => app.close());
  afterEach(() => {
    refusing = false;
  });

  it('says so on its answers', async () => {
    expect(await headersOf('/v1/old')).toEqual([200, ...EXPECTED]);
  });

  it('says so on failures of the handler', async () => {
    expect(await headersOf('/v1/old/broken')).toEqual([503, ...EXPECTED]);
  });

  // Mutation: importing AccessModule first leaves refusals without the headers.
  it('says so to those whom a guard refuses', async () => {
    refusing = true;
    expect(await headersOf('/v1/old')).toEqual([401, ...EXPECTED]);
  });

  it('says nothing of the kind elsewhere', async () => {
    expect(await headersOf('/v1/new')).toEqual([200, null, null, null]);
    expect(await headersOf('/v1/none')).toEqual([404, null, null, null]);
  });

  it('has no guard for it where the catalogue is empty', async () => {
    const without = await start([]);
    expect(await headersOf('/v1/old', await without.getUrl())).toEqual([200, null, null, null]);
    await without.close();
  });

  it('says so in its description, of the marked operations only', () => {
    const document = describeDeprecations(
      app,
      describeApi(app, {
        title: 'Sample',
        description: 'Sample.',
        basePath: '/v1',
        localOrigin: 'http://localhost',
        takesApiKeyHeader: false,
        tags: {},
        schemas: {},
      }),
    );
    expect(document.paths['/old']?.get).toMatchObject({ deprecated: true });
    expect(document.paths['/old']?.get?.description).toMatch(/ends on 2027-05-01 .*Use GET \/v1\/patterns\./);
    expect(document.paths['/new']?.get?.deprecated).toBeUndefined();
  });
});
