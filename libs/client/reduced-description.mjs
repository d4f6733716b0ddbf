// API descriptions as generators of clients take them best.

/** @param {object} object @param {(value: any, key: string) => any} change Leaves out what becomes undefined. */
const mapped = (object, change) =>
  Object.fromEntries(
    Object.entries(object)
      .map(([key, value]) => [key, change(value, key)])
      .filter(([, value]) => value !== undefined),
  );

/** @param {object} object @param {string} name */
const without = (object, name) => mapped(object, (value, key) => (key === name ? undefined : value));

/**
 * Without what a caller never sees in a type: headers, examples, and responses that refuse; their bodies are schemas.
 * @param {any} description
 */
export function reduced({ components, paths, ...rest }) {
  const operation = (/** @type {any} */ { responses, ...of }) => ({
    ...of,
    responses: mapped(responses, (response, status) =>
      Number(status) < 300 ? without(response, 'headers') : undefined,
    ),
  });
  return withoutExamples({
    ...rest,
    components: { schemas: components.schemas },
    paths: mapped(paths, (item) => mapped(without(item, 'parameters'), operation)),
  });
}

/**
 * The same schemas in the form that the generator reads rightly: it takes alternatives beside properties for further
 * alternatives, where the two hold together.
 * @param {any} part @returns {any}
 */
export function forTypes(part) {
  if (Array.isArray(part)) return part.map(forTypes);
  if (typeof part !== 'object' || part === null) return part;
  const { anyOf, ...rest } = part;
  const isBoth = Array.isArray(anyOf) && (rest.properties || rest.allOf);
  const form = isBoth ? { description: rest.description, allOf: [rest, { anyOf }] } : part;
  return mapped(form, forTypes);
}

/** @param {any} part @returns {any} */
function withoutExamples(part) {
  if (Array.isArray(part)) return part.map(withoutExamples);
  if (typeof part !== 'object' || part === null) return part;
  return mapped(part, (value, key) =>
    key === 'examples' || key === 'example' ? undefined : withoutExamples(value),
  );
}
