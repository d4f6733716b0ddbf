import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from './service-process';

describe('startServiceProcess', () => {
  let [folder, managementPort] = ['', 0];
  let another: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'service-process-'));
    another = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => another.listen(0, '127.0.0.1', resolve));
    const address = another.address();
    managementPort = typeof address === 'object' && address ? address.port : 0;
  });
  afterAll(async () => {
    await new Promise((resolve) => another.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (script: string) => {
    const entry = join(folder, 'main.js');
    writeFileSync(entry, script);
    return startServiceProcess(entry, { MANAGEMENT_PORT: String(managementPort) }, 1);
  };

  it('does not take another process at the management port for the service', async () => {
    const script = `setTimeout(() => { console.error('EADDRINUSE'); process.exit(1); }, 500)`;
    // Each attempt finds the port taken.
    await expect(start(script)).rejects.toThrow(/main\.js ended: EADDRINUSE/);
  });

  it('waits until the service says that it has its ports', async () => {
    const service = await start(
      `setTimeout(() => console.log('{"level":"info","msg":"listening"}'), 200); setInterval(() => {}, 1_000)`,
    );
    expect(service.output()).toContain('listening');
    await service.stop();
  });
});
