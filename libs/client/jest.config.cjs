module.exports = { ...require('../../jest.preset'), displayName: 'client', rootDir: __dirname };
