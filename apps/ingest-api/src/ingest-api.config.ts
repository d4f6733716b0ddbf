import { areSecretKeys, loadConfig, numberSetting, serviceConfigSchema, z } from '@outcomes/platform';

const MEBIBYTE = 1_024 * 1_024;

const schema = serviceConfigSchema({ port: 3002, managementPort: 9002 }).extend({
  // The largest body at least.
  MAX_HELD_BODY_BYTES: numberSetting(
    'Memory that all request bodies may take together. Beyond that the slowest are aborted.',
    'bytes',
    { least: 8 * MEBIBYTE, fallback: 48 * MEBIBYTE },
  ),
  SOURCE_SECRETS_KEY: z
    .string()
    .default('')
    .refine(areSecretKeys, 'Give 32 bytes in base64, or several such keys separated by commas.')
    .meta({
      description:
        'Encrypts secrets of outreach tools, records of theirs that cannot be read yet, and secrets of webhooks. 32 random bytes in base64, the same for ingest-api, analysis-worker and the command line. Several separated by commas: the first encrypts, all of them decrypt. Without it no tool can be connected and no webhook is sent.',
      secret: true,
    }),
});

export type IngestApiConfig = z.infer<typeof schema>;

/** What the ingest API needs beside what every service has. */
export function ingestApiConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): IngestApiConfig {
  return loadConfig(schema, environment, process.argv);
}
