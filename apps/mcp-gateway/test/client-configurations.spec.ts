import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const URL = 'http://localhost:3003/mcp';

/** The first block of code after the name of a client. */
function blockOf(client: string): string {
  const [, block] = new RegExp(`\\*\\*${client}\\*\\*[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``).exec(README) ?? [];
  if (block === undefined) throw new Error(`The README has no block for ${client}.`);
  return block;
}

/**
 * The form that a client's own documentation gives for a server that is reached by HTTP with a header, strictly: a
 * member that the client does not know would be ignored without a word.
 */
const FORMS: Readonly<Record<string, unknown>> = {
  // https://cursor.com/docs/mcp: url and headers, variables as ${env:NAME}
  Cursor: { mcpServers: { outcomes: { url: URL, headers: { Authorization: 'Bearer ${env:API_KEY}' } } } },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: servers and inputs
  'VS Code': {
    inputs: [{ id: 'key', type: 'promptString', description: expect.any(String), password: true }],
    servers: { outcomes: { type: 'http', url: URL, headers: { Authorization: 'Bearer ${input:key}' } } },
  },
  // https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md: httpUrl, variables as $NAME
  'Gemini CLI': { mcpServers: { outcomes: { httpUrl: URL, headers: { Authorization: 'Bearer $API_KEY' } } } },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers: command, args and env
  'Claude Desktop': {
    mcpServers: {
      outcomes: {
        command: 'npx',
        args: [
          ...['-y', expect.stringMatching(/^mcp-remote@\d+\.\d+\.\d+$/), URL, '--transport', 'http-only'],
          ...['--header', 'Authorization:${AUTH_HEADER}'],
        ],
        env: { AUTH_HEADER: 'Bearer <API_KEY>' },
      },
    },
  },
};

describe('configurations of clients', () => {
  it.each(Object.entries(FORMS))('of %s have the form that it documents', (client, form) => {
    expect(JSON.parse(blockOf(client))).toEqual(form);
  });

  // https://developers.openai.com/codex/mcp: url, and the variable that holds the token
  it('of Codex have the form that it documents', () => {
    expect(blockOf('Codex').trim().split('\n')).toEqual([
      '[mcp_servers.outcomes]',
      `url = "${URL}"`,
      'bearer_token_env_var = "API_KEY"',
    ]);
  });

  // https://code.claude.com/docs/en/mcp: options, name, address, and headers last
  it('of Claude Code have the form that it documents', () => {
    expect(blockOf('Claude Code').trim()).toBe(
      `claude mcp add --transport http outcomes ${URL} --header "Authorization: Bearer $API_KEY"`,
    );
  });

  it('pin the version of mcp-remote that is run against the server', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
    expect(blockOf('Claude Desktop')).toContain(`"mcp-remote@${devDependencies['mcp-remote']}"`);
  });
});
