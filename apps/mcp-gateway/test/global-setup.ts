import { startSharedService } from '@outcomes/testing';
import { startGateway } from './gateway-fixture';

export default (): Promise<void> =>
  startSharedService('mcp-gateway', 'well', async ({ environment }) => {
    const gateway = await startGateway(environment);
    return Object.assign(gateway, { tenant: await gateway.addTenant() });
  });
