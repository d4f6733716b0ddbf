import { Ajv, type ValidateFunction } from 'ajv';
import type { SourceProfile } from './profile';
import { PROFILE_SCHEMA } from './profile-schema';

let compiled: ValidateFunction<SourceProfile> | undefined;

/** Compiled when it is first asked for: it takes a quarter of the time in which the command line starts. */
const matchesSchema = () =>
  (compiled ??= new Ajv({
    allErrors: false,
    discriminator: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  }).compile<SourceProfile>(PROFILE_SCHEMA));

/** Where a profile is not what the schema says. */
export interface ProfileFault {
  /** JSON pointer into the profile; empty for the whole of it. */
  readonly path: string;
  readonly message: string;
  /** What may stand there, where that is a list. */
  readonly allowed?: readonly unknown[];
}

/** @returns the first fault of a profile, or undefined where `profile` is one */
export function profileFault(profile: unknown): ProfileFault | undefined {
  const matches = matchesSchema();
  if (matches(profile)) return undefined;
  const [error] = matches.errors ?? [];
  if (!error) return { path: '', message: 'is no profile' };
  const { allowedValues, additionalProperty } = error.params as Record<string, unknown>;
  return {
    path: error.instancePath,
    message: [error.message, additionalProperty].filter(Boolean).join(': '),
    ...(Array.isArray(allowedValues) && { allowed: allowedValues }),
  };
}
