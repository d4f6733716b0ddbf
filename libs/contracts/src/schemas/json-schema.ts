/**
 * The few forms of JSON Schema 2020-12 in which the documents of the interface are written: once, for the API
 * descriptions, the tests that hold answers against them, and whoever generates a client. What may be null is an
 * anyOf, and results stay open, because fields are only ever added within a major version.
 */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}
export type Properties = Readonly<Record<string, Schema>>;
type Keywords = Readonly<Record<string, unknown>>;

export const text = (description: string, more: Keywords = {}): Schema => ({
  type: 'string',
  description,
  ...more,
});
export const choice = (values: readonly string[], description: string, more: Keywords = {}): Schema =>
  text(description, { enum: values, ...more });
export const constant = (value: string | boolean, description: string): Schema => ({
  type: typeof value,
  description,
  const: value,
});
export const timestamp = (description: string): Schema => text(description, { format: 'date-time' });
export const day = (description: string): Schema => text(description, { format: 'date' });
export const uuid = (description: string): Schema => text(description, { format: 'uuid' });
export const integer = (description: string, more: Keywords = {}): Schema => ({
  type: 'integer',
  description,
  ...more,
});
export const count = (description: string): Schema => integer(description, { minimum: 0 });
export const number = (description: string, more: Keywords = {}): Schema => ({
  type: 'number',
  description,
  ...more,
});
export const share = (description: string): Schema => number(description, { minimum: 0, maximum: 1 });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const list = (items: Schema, description: string, more: Keywords = {}): Schema => ({
  type: 'array',
  description,
  items,
  ...more,
});
export const texts = (description: string): Schema => list({ type: 'string' }, description);
/** An object whose keys are data. */
export const map = (values: Schema, description: string, more: Keywords = {}): Schema => ({
  type: 'object',
  description,
  additionalProperties: values,
  ...more,
});

export const nullable = ({ description, ...schema }: Schema): Schema => ({
  anyOf: [schema, { type: 'null' }],
  ...(description !== undefined && { description }),
});

/** An object. Given a type, each of its fields has its schema, and all but `optional` are present. */
export const record = <Document = Record<string, unknown>>(
  properties: { readonly [Name in keyof Required<Document>]: Schema },
  description?: string,
  optional: readonly (keyof Document)[] = [],
): Schema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties,
  required: Object.keys(properties).filter((name) => !optional.some((other) => other === name)),
});

/** A reference to a schema of COMPONENT_SCHEMAS. */
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
