import { areSecretKeys, loadConfig, serviceConfigSchema, z } from '@outcomes/platform';

const MEBIBYTE = 1_024 * 1_024;

const schema = serviceConfigSchema({ port: 3002, managementPort: 9002 }).extend({
  /** Memory that the bodies of requests may take together: that of the largest body at least. */
  MAX_HELD_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(8 * MEBIBYTE)
    .default(48 * MEBIBYTE),
  /**
   * What secrets of outreach tools, and records of theirs that cannot be read yet, are encrypted with: 32 random bytes in
   * base64, the same for the command line. Several parted by commas: the first encrypts, all of them decrypt. A secret;
   * no tool can be connected without it.
   */
  SOURCE_SECRETS_KEY: z
    .string()
    .default('')
    .refine(areSecretKeys, 'Give 32 bytes in base64, or several such keys parted by commas.'),
});

export type IngestApiConfig = z.infer<typeof schema>;

/** What the ingest API needs beside what every service has. */
export function ingestApiConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): IngestApiConfig {
  return loadConfig(schema, environment);
}
