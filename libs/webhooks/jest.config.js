module.exports = { ...require('../../jest.preset'), displayName: 'webhooks', rootDir: __dirname };
