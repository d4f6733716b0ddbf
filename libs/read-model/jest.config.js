module.exports = { ...require('../../jest.preset'), displayName: 'read-model', rootDir: __dirname };
