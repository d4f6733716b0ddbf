import { Controller, Get, Injectable, Module, type INestApplication } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { Guarded } from '@outcomes/auth';
import { AppError } from '@outcomes/contracts';
import {
  AccessGuard,
  Admission,
  Direct,
  RequestBodies,
  RequestPipeline,
  serveDirectly,
} from '@outcomes/limits';
import { describeApi } from '@outcomes/openapi';
import { Management, serviceConfigSchema } from '@outcomes/platform';
import { HttpAdapter } from '@outcomes/platform/service';
import { Deprecated, deprecationHeaders, describeDeprecations } from '../src';
import { SAMPLE } from './sample';

let refusing = false;

@Injectable()
class RefusingAdmission extends Admission {
  authorizeRequest() {
    if (refusing) return Promise.reject(new AppError('invalid_token'));
    return Promise.resolve({ companyId: 'c', keyId: 'k' });
  }
}

const unavailable = () => {
  throw new AppError('SERVICE_UNAVAILABLE');
};

@Controller('v1')
@Guarded()
class SampleController {
  @Get('old')
  @Direct()
  @Deprecated(SAMPLE.id, [SAMPLE])
  old() {
    return { ok: true };
  }

  @Get('old/broken')
  @Direct()
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
  let app: INestApplication;
  let origin: string;

  const start = async () => {
    @Module({
      controllers: [SampleController],
      providers: [
        { provide: Admission, useClass: RefusingAdmission },
        { provide: RequestBodies, useValue: {} },
        RequestPipeline,
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
    })
    class SampleModule {}
    const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: 'redis://unused',
      LOG_LEVEL: 'silent',
    });
    const http = new HttpAdapter({ config, management: new Management('sample'), name: 'sample' });
    const started = await NestFactory.create(SampleModule, http, { logger: false });
    http.prepare(started);
    serveDirectly(started, http, [SampleController]);
    await started.listen(0, '127.0.0.1');
    return started;
  };
  const headersOf = async (path: string) => {
    const answer = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(10_000) });
    await answer.text();
    return [answer.status, ...HEADERS.map((name) => answer.headers.get(name))];
  };

  beforeAll(async () => {
    app = await start();
    origin = await app.getUrl();
  });
  afterAll(() => app.close());
  afterEach(() => {
    refusing = false;
  });

  // With a query Nest finds the handler, without one node:http calls it.
  describe.each(['', '?'])('asked with "%s"', (query) => {
    it('says so on its answers', async () => {
      expect(await headersOf(`/v1/old${query}`)).toEqual([200, ...EXPECTED]);
    });

    it('says so on failures of the handler', async () => {
      expect(await headersOf(`/v1/old/broken${query}`)).toEqual([503, ...EXPECTED]);
    });

    // Mutation: headers that are set behind the admission.
    it('says so to those who are refused', async () => {
      refusing = true;
      expect(await headersOf(`/v1/old${query}`)).toEqual([401, ...EXPECTED]);
    });
  });

  it('says nothing of the kind elsewhere', async () => {
    expect(await headersOf('/v1/new')).toEqual([200, null, null, null]);
    expect(await headersOf('/v1/none')).toEqual([404, null, null, null]);
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
