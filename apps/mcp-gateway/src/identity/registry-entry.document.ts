import { SERVER_INFO } from './server-info.protocol';

/** The form of the MCP registry's server.json. */
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** Whoever lists a deployment does so under a name that is theirs. */
const NAMESPACE = 'com.example';

/** How a deployment of this server is listed in a registry: where it is, and which secret a client has to ask for. */
export function registryEntry() {
  const { name, title, version } = SERVER_INFO;
  return {
    $schema: SCHEMA,
    name: `${NAMESPACE}/${name}`,
    title,
    description:
      'What came of outbound messages: calibrated reply rates, patterns, drift and contact advice.',
    version,
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: {
          host: {
            description: 'Host name of the deployment.',
            isRequired: true,
            placeholder: 'mcp.example.com',
          },
        },
        headers: [
          {
            name: 'Authorization',
            description: 'An API key that may read.',
            isRequired: true,
            isSecret: true,
            value: 'Bearer {api_key}',
            variables: {
              api_key: {
                description: 'From `npx outcomes keys create --for agent`.',
                isRequired: true,
                isSecret: true,
              },
            },
          },
        ],
      },
    ],
  };
}
