module.exports = { ...require('../../jest.preset'), displayName: 'outcomes-cli', rootDir: __dirname };
