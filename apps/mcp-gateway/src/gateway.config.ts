import { loadConfig, serviceConfigSchema, z } from '@outcomes/platform';

/** Comma-separated names, lower case, blanks and empty ones dropped. */
const names = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  );

const MEBIBYTE = 1_024 * 1_024;

const gatewayConfigSchema = serviceConfigSchema({ port: 3003, managementPort: 9003 }).extend({
  /** Four of the largest messages; nearly all have a kilobyte. */
  MAX_HELD_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(2 * MEBIBYTE)
    .default(4 * MEBIBYTE),
  /** Messages are small: nearly all of them come in one piece with their head. */
  MAX_ARRIVING_BODIES: z.coerce.number().int().min(1).default(32),
  /** Host names, without port, by which callers reach this server; localhost is always one. */
  MCP_PUBLIC_HOSTS: names,
  /** Web origins, e.g. https://agent.example.com, whose pages may call this server. None unless named. */
  MCP_ALLOWED_ORIGINS: names,
});

export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;
export const GATEWAY_CONFIG = Symbol('GatewayConfig');

export function gatewayConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): GatewayConfig {
  return loadConfig(gatewayConfigSchema, environment);
}
