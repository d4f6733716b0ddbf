const { createHash } = require('node:crypto');

const swc = (parser, transform) => [
  require.resolve('./jest.transform.js'),
  {
    swcrc: false,
    jsc: { target: 'es2023', parser, transform, keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

// ESM-only packages that CommonJS tests reach: swc compiles them, so that neither
// --experimental-vm-modules nor a particular Node is needed. A new ESM-only dependency joins this list.
const esmOnly = [
  '@nestjs/[^/]+',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer/inflate',
  '@borewit/text-codec',
  'uuid',
  'canonicalize',
  'pure-rand',
  '@ai-sdk/[^/]+',
  '@workflow/serde',
  // Has CommonJS too, but @ai-sdk asks for its ESM files by name.
  'zod',
  'commander',
  'openid-client',
  'oauth4webapi',
  'jose',
];

/** @type {import('jest').Config} */
module.exports = {
  // One for all projects of this clone, which differ in nothing else: what is compiled and where imports lead is shared.
  id: createHash('sha1').update(__dirname).digest('hex'),
  testEnvironment: require.resolve('./jest.environment.js'),
  runtime: require.resolve('./jest.runtime.js'),
  testRegex: '\\.(spec|int-spec|e2e-spec)\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/bundle/', '/out-tsc/', '/.stryker-tmp/'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  transform: {
    '\\.ts$': swc(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    ),
    '\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testEnvironmentOptions: { customExportConditions: ['@outcomes/source', 'node', 'node-addons'] },
  clearMocks: true,
};
