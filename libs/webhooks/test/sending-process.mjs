// A worker as a process of its own, as analysis-worker has it: it makes one round of deliveries and ends. Every name leads
// to one port of this machine, which plays the public Internet; encryption, and who is trusted, are those of production.
import { request } from 'node:https';
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const { NestFactory } = load('@nestjs/core');
const { PersistenceModule } = load('@outcomes/persistence');
const { createLogger, Management, PlatformModule, serviceConfigSchema } = load('@outcomes/platform');
// The services call it with the files of TRUSTED_CA_FILES before anything else.
const { trustAuthorities } = load('../../platform/dist/runtime/trusted-authorities.js');
const { mintTenantScope } = load('@outcomes/tenancy/mint');
const { WebhookDeliveries, WebhooksModule } = load('../dist/index.js');

const { SECRET_KEYS = '', RECEIVER_PORT, NOW = '', TRUSTED } = process.env;
if (TRUSTED) trustAuthorities([TRUSTED]);

const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse(process.env);
class SendingWorker {}
const application = await NestFactory.createApplicationContext(
  {
    module: SendingWorker,
    imports: [
      PlatformModule.register({
        ...{ clock: { now: () => new Date(NOW) }, config },
        logger: createLogger('sending-process', config.LOG_LEVEL),
        management: new Management('sending-process'),
      }),
      PersistenceModule.register('sending-process'),
      WebhooksModule.register({
        ...{ secretKeys: SECRET_KEYS, smtp: null, random: () => 0 },
        outside: {
          request: (options, answered) => request({ ...options, port: Number(RECEIVER_PORT) }, answered),
          lookup: (_host, answered) => answered(null, [{ address: '127.0.0.1', family: 4 }]),
          isPublic: () => true,
          timeoutMs: 15_000,
        },
      }),
    ],
  },
  { logger: false, abortOnError: false },
);
await application.get(WebhookDeliveries).deliverDue(async (companyId) => mintTenantScope(companyId));
await application.close();
