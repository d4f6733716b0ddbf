import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { API_VERSION, errorSchemas, ERROR_CATALOGUE, type ErrorCode, type Schema } from '@outcomes/contracts';
import { shareResponses } from './common-responses';
import { REQUEST_HEADERS } from './request-headers';
import { RESPONSE_HEADERS } from './response-headers';

export interface ApiSurface {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** Path below which all operations are, without a slash at its end; empty for none. */
  readonly basePath: string;
  /** Where a copy that was started locally answers. */
  readonly localOrigin: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Schemas by name; those that no operation refers to are left out. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Whether X-API-Key is taken beside the bearer token. */
  readonly takesApiKeyHeader: boolean;
}

/**
 * The OpenAPI 3.1 description of a service, from the decorators of its controllers and the schemas of its documents.
 * @param app - one in preview mode (no connections) will do
 */
export function describeApi(app: INestApplication, surface: ApiSurface): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, settingsOf(surface), {
    operationIdFactory: (_controller, method) => method,
    autoTagControllers: false,
  });
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(
        ([path, item]) =>
          [withoutBase(path, surface.basePath), { parameters: requestHeaders(), ...item }] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const { paths: sharing, responses } = shareResponses(paths);
  const described = { ...document, paths: sharing, components: { responses } };
  const schemas = referredSchemas(described, {
    ...surface.schemas,
    ...errorSchemas(Object.keys(ERROR_CATALOGUE) as ErrorCode[]),
  });
  // Addresses that are none are no operations, and their answer is described all the same.
  Object.assign(schemas, errorSchemas(['NOT_FOUND']));
  const components = {
    securitySchemes: document.components?.securitySchemes,
    responses,
    headers: RESPONSE_HEADERS,
    parameters: REQUEST_HEADERS,
    schemas: schemas as NonNullable<OpenAPIObject['components']>['schemas'],
  };
  // Through JSON, so that what is served, committed and compared is the same.
  return JSON.parse(JSON.stringify({ ...described, components })) as OpenAPIObject;
}

/** The text that is served and committed. */
export function printDescription(document: OpenAPIObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function settingsOf(surface: ApiSurface) {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(surface.title)
    .setDescription(surface.description)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(surface.basePath || '/', 'This service')
    .addServer(`${surface.localOrigin}${surface.basePath}`, 'A copy started with npm start')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'svc_<48 characters>_<8 characters>',
        description: BEARER,
      },
      'bearer',
    )
    .addSecurityRequirements('bearer');
  if (surface.takesApiKeyHeader) {
    builder
      .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: API_KEY }, 'apiKey')
      .addSecurityRequirements('apiKey');
  }
  for (const [name, description] of Object.entries(surface.tags)) builder.addTag(name, description);
  return builder.build();
}

const BEARER =
  'The API key of a company, e.g. `Authorization: Bearer svc_…`. The key names the tenant, and is shown once when it is made.';
const API_KEY = 'The same key in a header of its own. Send one of the two, or the same key in both.';

function withoutBase(path: string, basePath: string): string {
  return basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

function requestHeaders() {
  return Object.keys(REQUEST_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The schemas that a document refers to, and those that these refer to, in order of their names. */
function referredSchemas(document: unknown, pool: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = pool[name ?? ''];
      if (name === undefined || schema === undefined || found.has(name)) continue;
      found.set(name, schema);
      visit(schema);
    }
  };
  visit(document);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
