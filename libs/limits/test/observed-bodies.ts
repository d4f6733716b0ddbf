import { Management, serviceConfigSchema, type ServiceConfig } from '@outcomes/platform';
import { RequestBodies } from '../src/bodies/request-bodies.service';
import { PacedRefusals } from '../src/shares/paced-refusals.service';

export type BodySettings = Partial<Record<keyof ServiceConfig, string>>;

export interface ObservedBodies {
  readonly bodies: RequestBodies;
  /** Bytes held now. */
  held(): Promise<number>;
  /** Bodies refused so far, by reason. */
  refused(): Promise<Record<string, number>>;
}

/** What `refused` says before anything was. */
export const NONE_REFUSED = { memory: 0, slow: 0, timeout: 0, many: 0, large: 0 };

/** RequestBodies with what their metrics tell. */
export function observedBodies(
  settings: BodySettings = {},
  refusals: PacedRefusals = new PacedRefusals(),
): ObservedBodies {
  const config = serviceConfigSchema({ port: 0, managementPort: 0 }).parse({
    DATABASE_URL: 'postgres://unused/unused',
    REDIS_URL: 'redis://unused',
    ...settings,
  });
  const management = new Management('bodies-test');
  const metrics = () => management.registry.metrics();
  return {
    bodies: new RequestBodies(config, management, refusals),
    held: async () => Number(/^http_body_bytes\{.*\} (\d+)$/m.exec(await metrics())?.[1]),
    refused: async () => {
      const lines = /^http_bodies_refused_total\{reason="(\w+)".*\} (\d+)$/gm;
      const found = (await metrics()).matchAll(lines);
      return Object.fromEntries([...found].map(([, reason, count]) => [reason, Number(count)]));
    },
  };
}
