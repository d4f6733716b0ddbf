module.exports = { ...require('../../jest.preset'), displayName: 'mcp-gateway', rootDir: __dirname };
