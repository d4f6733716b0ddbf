// The Python client as it is packed: its handwritten files, and what is made of the API descriptions.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reduced } from '../../libs/client/reduced-description.mjs';
import { root } from '../local/settings.mjs';

export const GENERATOR = 'openapi-python-client==0.29.1';
const SOURCE = join(root, 'clients/python');

/**
 * Lays the sources into a folder, with the generated modules beside them.
 * @param folder does not exist yet
 * @param inVenv runs a program of the environment that has the generator
 */
export async function layOut(folder: string, inVenv: (command: string[]) => Promise<void>) {
  cpSync(SOURCE, folder, { recursive: true, filter: (file) => !/__pycache__|\.egg-info/.test(file) });
  const modules = join(folder, 'src/outcomes_client');
  const settings = join(folder, 'generator.yml');
  writeFileSync(settings, 'post_hooks: []\nliteral_enums: true\n');
  for (const [app, module] of [
    ['read-api', 'read_api'],
    ['ingest-api', 'ingest_api'],
  ] as const) {
    const description = JSON.parse(readFileSync(join(root, `apps/${app}/openapi.json`), 'utf8'));
    const file = join(folder, `${app}.json`);
    writeFileSync(file, JSON.stringify(forPython(reduced(description))));
    const generate = ['openapi-python-client', 'generate', '--meta', 'none', '--fail-on-warning'];
    const output = ['--path', file, '--output-path', join(modules, module), '--config', settings];
    await inVenv([...generate, ...output]);
    const event = description.components.schemas.OutcomeEvent;
    if (event) writeFileSync(join(modules, 'event.py'), eventModule(event));
  }
}

/**
 * Without what the generator has no form for, CSV and an event whose alternatives stand beside its fields: the package
 * posts both itself.
 */
function forPython(description: any) {
  const { paths } = description;
  delete paths['/ingest/csv'];
  delete paths['/ingest/events']?.post;
  const refusals = Object.keys(description.components.schemas).filter((name) => name.startsWith('Error.'));
  for (const name of [...refusals, 'OutcomeEvent', 'OutcomeEvents'])
    delete description.components.schemas[name];
  return description;
}

/** The event as a TypedDict. */
function eventModule({ properties, required, description }: any) {
  const fields = (isRequired: boolean) =>
    Object.entries<any>(properties)
      .filter(([name]) => required.includes(name) === isRequired)
      .map(([name, field]) => {
        const words = field.description ? `    #: ${field.description}\n` : '';
        return `${words}    ${name}: ${pythonType(field)}`;
      })
      .join('\n');
  return `"""Made from the API description of ingest-api."""

from typing import Any, Literal, TypedDict


class _Message(TypedDict):
${fields(true)}


class OutcomeEvent(_Message, total=False):
    """${description}"""

${fields(false)}
`;
}

function pythonType(schema: any): string {
  if (schema.anyOf) return schema.anyOf.map(pythonType).join(' | ');
  if (schema.enum) return `Literal[${schema.enum.map((value: string) => JSON.stringify(value)).join(', ')}]`;
  const types = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
    object: 'dict[str, Any]',
  };
  const type = Object.entries(types).find(([name]) => name === schema.type)?.[1];
  if (!type) throw new Error(`No Python type for ${JSON.stringify(schema).slice(0, 200)}`);
  return type;
}
