import { createServer, type AddressInfo } from 'node:net';
import * as v8 from 'node:v8';
import { serviceConfigSchema } from '../config/load-config';
import { startService, type RunningService } from './start-service';

jest.mock('node:v8', () => ({ ...jest.requireActual<typeof v8>('node:v8'), setFlagsFromString: jest.fn() }));

class NoModule {}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

describe('a service', () => {
  let service: RunningService | undefined;
  afterEach(() => service?.stop());

  const start = async (settings: Record<string, string>) => {
    const managementPort = await freePort();
    const config = serviceConfigSchema({ port: 0, managementPort }).parse({
      DATABASE_URL: 'postgres://unused/unused',
      REDIS_URL: 'redis://unused',
      LOG_LEVEL: 'silent',
      DRAIN_DELAY_MS: '0',
      ...settings,
    });
    service = await startService('outcomes-sample', config, (platform) => ({
      module: NoModule,
      imports: [platform],
    }));
    return { service, managementPort };
  };
  const answers = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => undefined,
    );

  it('says that it has started before it changes the options of V8', async () => {
    const order: string[] = [];
    jest.mocked(v8.setFlagsFromString).mockImplementation(() => void order.push('options'));
    process.once('started' as 'beforeExit', () => order.push('started'));
    await start({});
    expect(order).toEqual(['started', 'options']);
  });

  it.each(['127.0.0.1', '[::1]'])(
    'answers at %s, because the addresses of a pod may be of either family',
    async (host) => {
      const { service, managementPort } = await start({});
      expect(await answers(`http://${host}:${managementPort}/livez`)).toBe(200);
      expect(await answers(`http://${host}:${service.port}/nothing`)).toBe(404);
    },
  );

  it('answers at no other address than the one it is given', async () => {
    const { service, managementPort } = await start({ BIND_ADDRESS: '127.0.0.1' });
    expect(await answers(`http://127.0.0.1:${managementPort}/livez`)).toBe(200);
    expect(await answers(`http://[::1]:${managementPort}/livez`)).toBeUndefined();
    expect(await answers(`http://[::1]:${service.port}/nothing`)).toBeUndefined();
  });
});
