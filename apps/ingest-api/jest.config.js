module.exports = { ...require('../../jest.preset'), displayName: 'ingest-api', rootDir: __dirname };
