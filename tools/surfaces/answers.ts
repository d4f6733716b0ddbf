import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { root } from '../local/settings.mjs';

/** Committed API descriptions. */
export const descriptions = {
  'read-api': join(root, 'apps/read-api/openapi.json'),
  'ingest-api': join(root, 'apps/ingest-api/openapi.json'),
};

const folder = join(root, 'libs/contracts/fixtures/v1');

/** A kept answer. */
export interface Golden {
  schema: string;
  name: string;
  data: any;
}

/** Every golden of a question whose result is a schema of its own in the description of the read API. */
export function goldens(): Golden[] {
  const { components } = JSON.parse(readFileSync(descriptions['read-api'], 'utf8'));
  return readdirSync(folder).flatMap((question) => {
    const schema = question
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('');
    if (!(schema in components.schemas)) return [];
    return readdirSync(join(folder, question)).map((file) => ({
      schema,
      name: `${question}/${file}`,
      data: JSON.parse(readFileSync(join(folder, question, file), 'utf8')),
    }));
  });
}

/** The goldens that have every field that the description asks for today: others were kept before one was added. */
export function goldensOfToday() {
  const { components } = JSON.parse(readFileSync(descriptions['read-api'], 'utf8'));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return goldens().filter(({ schema, data }) =>
    ajv.validate({ $ref: `#/components/schemas/${schema}`, components }, data),
  );
}

/** An answer as a later version may give it: with an alert that nobody knows yet. */
export function withNewAlert({ data, ...golden }: Golden): Golden[] {
  return Array.isArray(data?.alerts)
    ? [{ ...golden, data: { ...data, alerts: [...data.alerts, 'alert_of_tomorrow'] } }]
    : [];
}

/** The objects of an answer that a client has models for: itself, or the items of a list. */
export function modelsOf(golden: Golden): Golden[] {
  const items = {
    Patterns: 'PatternRecord',
    RecipientProfiles: 'RecipientProfile',
    FirstAnalysis: 'AnalysisRecord',
  };
  const schema = Object.hasOwn(items, golden.schema)
    ? items[golden.schema as keyof typeof items]
    : golden.schema;
  const objects = [golden.data].flat().filter((data) => Object.keys(data).length > 0);
  return objects.map((data) => ({ ...golden, schema, data }));
}
