import { z } from 'zod';

/** One setting of a service, as an operator reads of it. */
export interface Setting {
  /** The environment variable. */
  readonly name: string;
  readonly description: string;
  /** What may be said, e.g. `1 to 500 connections`, `none, transaction`. */
  readonly values: string;
  /** What holds where it is not set; absent where nothing does. */
  readonly default?: string;
  readonly isRequired: boolean;
  /** Holds a password or key: belongs into a secret store. */
  readonly isSecret: boolean;
}

/** What a field of a configuration says of itself by `.meta()`. A type, for `.meta()` takes no interface. */
export type SettingMeta = {
  readonly description: string;
  /** Of a number, in the plural: `milliseconds`, `bytes`, `connections`. */
  readonly unit?: string;
  readonly secret?: true;
};

/** The parts of a field's JSON Schema that an operator is told. */
interface Field extends Partial<SettingMeta> {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Field[];
}

const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/**
 * The settings of a configuration, in the order of its fields.
 * @param schema - one field per variable, each with a SettingMeta
 */
export function settingsOf(schema: z.ZodType): Setting[] {
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties: Record<string, Field>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => {
    const fallback = textOf(field.default);
    return {
      name,
      description: field.description ?? '',
      values: valuesOf(field),
      ...(fallback !== '' && { default: fallback }),
      isRequired: required.includes(name),
      isSecret: field.secret === true,
    };
  });
}

/** @returns what `--help` prints: each setting with what it means, what it takes, and what holds without it */
export function settingsHelp(schema: z.ZodType): string {
  const entries = settingsOf(schema).map((setting) => {
    const facts = [
      setting.values,
      setting.isRequired ? 'required' : `default: ${setting.default ?? 'none'}`,
      ...(setting.isSecret ? ['secret'] : []),
    ];
    return `  ${setting.name}\n      ${setting.description}\n      (${facts.join('; ')})\n`;
  });
  return `Settings, read from environment variables. An empty one counts as not set.\n\n${entries.join('\n')}`;
}

function valuesOf(field: Field): string {
  if (field.enum) return field.enum.join(', ');
  if (field.minimum !== undefined || field.type === 'integer') {
    const { minimum = 0, maximum = UNBOUNDED, unit } = field;
    const range = maximum >= UNBOUNDED ? `${minimum} or more` : `${minimum} to ${maximum}`;
    return unit === undefined ? range : `${range} ${unit}`;
  }
  if ([field, ...(field.anyOf ?? [])].some(({ format }) => format === 'uri')) return 'URL';
  if (field.format === 'email') return 'e-mail address';
  return field.pattern === undefined ? 'text' : `text matching ${field.pattern}`;
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
