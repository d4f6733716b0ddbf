/**
 * The few forms of JSON Schema 2020-12 in which the interface is written, each of which also is the TypeScript type of
 * what it describes (`TypeOf`). What may be null is an anyOf, results stay open because fields are only ever added
 * within a major version, and arguments are closed.
 */
export interface Schema<Value = unknown> {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
  /** No schema has this keyword: it carries the type alone. */
  readonly '~value'?: Value;
}
export type Properties = Readonly<Record<string, Schema>>;
type Keywords = Readonly<Record<string, unknown>>;

/** The type of the values that a schema describes. */
export type TypeOf<Of> = Of extends { readonly '~value'?: infer Value } ? Value : never;

/** The type of an object whose fields have these schemas; all but `Optional` are there. */
export type ObjectOf<Of extends Properties, Optional extends keyof Of = never> = Flat<
  { readonly [Name in Exclude<keyof Of, Optional>]: TypeOf<Of[Name]> } & {
    readonly [Name in Optional]?: TypeOf<Of[Name]>;
  }
>;
type Flat<Type> = { readonly [Name in keyof Type]: Type[Name] };

/** The keyword that lists the values of an open enumeration. */
export const KNOWN_VALUES = 'x-known-values';

export const text = (description: string, more: Keywords = {}): Schema<string> => ({
  type: 'string',
  description,
  ...more,
});
/** One of a closed list: of arguments alone. */
export const choice = <const Values extends readonly string[]>(
  values: Values,
  description: string,
  more: Keywords = {},
): Schema<Values[number]> => ({ type: 'string', description, enum: values, ...more });
/**
 * One of an open list: what answers say. The services say no other today; readers take any text, because values are
 * added within a major version.
 */
export const known = <const Values extends readonly string[]>(
  values: Values,
  description?: string,
): Schema<Values[number]> => ({
  type: 'string',
  ...(description !== undefined && { description }),
  [KNOWN_VALUES]: values,
});
export const constant = <const Value extends string | boolean>(
  value: Value,
  description: string,
): Schema<Value> => ({ type: typeof value, description, const: value });
export const timestamp = (description: string): Schema<string> => text(description, { format: 'date-time' });
export const day = (description: string): Schema<string> => text(description, { format: 'date' });
export const uuid = (description: string): Schema<string> => text(description, { format: 'uuid' });
export const integer = (description: string, more: Keywords = {}): Schema<number> => ({
  type: 'integer',
  description,
  ...more,
});
export const count = (description: string): Schema<number> => integer(description, { minimum: 0 });
export const number = (description: string, more: Keywords = {}): Schema<number> => ({
  type: 'number',
  description,
  ...more,
});
export const share = (description: string): Schema<number> => number(description, { minimum: 0, maximum: 1 });
export const flag = (description: string): Schema<boolean> => ({ type: 'boolean', description });
export const list = <Item>(
  items: Schema<Item>,
  description: string,
  more: Keywords = {},
): Schema<readonly Item[]> => ({ type: 'array', description, items, ...more });
export const texts = (description: string): Schema<readonly string[]> =>
  list<string>({ type: 'string' }, description);
/** An object whose keys are data. */
export const map = <Value>(
  values: Schema<Value>,
  description: string,
  more: Keywords = {},
): Schema<Readonly<Record<string, Value>>> => ({
  type: 'object',
  description,
  additionalProperties: values,
  ...more,
});
/** An object of which nothing is promised. */
export const anything = (description: string): Schema<Readonly<Record<string, unknown>>> => ({
  type: 'object',
  description,
  // Said where it could be left out: generators of clients take an object without it for one that is empty.
  additionalProperties: true,
});

export const nullable = <Value>({ description, ...schema }: Schema<Value>): Schema<Value | null> => ({
  anyOf: [schema, { type: 'null' }],
  ...(description !== undefined && { description }),
});

/** An object. All fields but `optional` are there. */
export const record = <const Of extends Properties, const Optional extends keyof Of & string = never>(
  properties: Of,
  description?: string,
  optional: readonly Optional[] = [],
): Schema<ObjectOf<Of, Optional>> => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties,
  required: Object.keys(properties).filter((name) => !optional.some((other) => other === name)),
});

/** An object of a type that is declared elsewhere: each of its fields has its schema, and all but `optional` are there. */
export const recordOf = <Document = Record<string, unknown>>(
  properties: { readonly [Name in keyof Required<Document>]: Schema },
  description?: string,
  optional: readonly (keyof Document & string)[] = [],
): Schema<Document> => record<Properties, string>(properties, description, optional) as Schema<Document>;

/** A reference to a schema that descriptions keep by name. */
export const reference = <Value>(name: string): Schema<Value> => ({ $ref: `#/components/schemas/${name}` });
